"""`python -m generator` is the command `pith-mirror`."""

from generator.cli import main

if __name__ == "__main__":
    main(prog_name="pith-mirror")

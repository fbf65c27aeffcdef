"""The one error tree, and the exit code of each branch.

    MirrorError                     subject, expected, found, hint
    ├── FormatError                 bytes or values are not the format
    ├── LoadError                   a file, archive or member cannot be read as bundles
    ├── RejectedError          3    a bundle or state that a command needs is rejected
    ├── ConfigurationError     5    mirror.toml: unknown key, wrong type, bad key material
    ├── InputError             6    no bundles, or the folder itself is unreadable
    ├── OutputError            7    site/ is not ours or cannot be written; the old site is whole
    └── RenderError            8    a template failed on a page

FormatError and LoadError never end a build: they become failed checks of one bundle.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the command says to a script; `docs/cli.md` repeats this table and a test compares."""

    OK = 0
    BUG = 1
    USAGE = 2
    REJECTED = 3
    STRICT = 4
    CONFIGURATION = 5
    INPUT = 6
    OUTPUT = 7
    RENDER = 8


EXIT_MEANINGS = {
    ExitCode.OK: "done; nothing was rejected and no check failed",
    ExitCode.BUG: "unexpected error, a bug of pith-mirror",
    ExitCode.USAGE: "wrong command line",
    ExitCode.REJECTED: "a bundle was rejected, a check failed, or `diff` or `check` found a fault",
    ExitCode.STRICT: "`--strict`: a bundle was rejected or a check failed, so nothing was written",
    ExitCode.CONFIGURATION: "mirror.toml is missing, malformed or contradictory",
    ExitCode.INPUT: "no bundles were found, the input cannot be read, or it is not what is needed",
    ExitCode.OUTPUT: "site/ or `--out` cannot be written or is not ours; it was left as it was",
    ExitCode.RENDER: "a template failed; the site was left as it was",
}


class MirrorError(Exception):
    """Something pith-mirror can name: what it looked at, what it expected, what it found."""

    exit_code = ExitCode.BUG

    def __init__(self, subject: str, *, expected: str, found: str, hint: str = "") -> None:
        """Keep the four parts; the message is made from them.

        Args:
            subject: what was looked at (file, field path, page path).
            expected: what would have been right.
            found: what was there, already shortened for display.
            hint: what the reader can do, if there is something.
        """
        super().__init__(subject)
        self.subject = subject
        self.expected = expected
        self.found = found
        self.hint = hint

    def __str__(self) -> str:
        """Give `<subject>: expected <x>, found <y>` on one line."""
        text = f"{self.subject}: expected {self.expected}, found {self.found}"
        return f"{text} ({self.hint})" if self.hint else text

    def __reduce__(self) -> tuple[object, ...]:
        """Survive pickling, since errors cross process pools."""
        parts = {"expected": self.expected, "found": self.found, "hint": self.hint}
        return (_rebuild, (type(self), self.subject, parts))


def _rebuild(kind: type[MirrorError], subject: str, parts: dict[str, str]) -> MirrorError:
    return kind(subject, **parts)


class FormatError(MirrorError):
    """Bytes or a value are not what the format says."""


class LoadError(MirrorError):
    """A file, archive or member cannot be read as bundles."""


class RejectedError(MirrorError):
    """A bundle or state that a command cannot do without does not pass its checks."""

    exit_code = ExitCode.REJECTED


class ConfigurationError(MirrorError):
    """mirror.toml is wrong; the subject names the file, the line and the key."""

    exit_code = ExitCode.CONFIGURATION


class InputError(MirrorError):
    """There is nothing to build from."""

    exit_code = ExitCode.INPUT


class OutputError(MirrorError):
    """The site cannot be written; what was there before is still whole."""

    exit_code = ExitCode.OUTPUT


class RenderError(MirrorError):
    """A template failed on a page."""

    exit_code = ExitCode.RENDER

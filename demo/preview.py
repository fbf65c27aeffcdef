"""Draw the preview image that ships with the package, for machines without Pillow.

    python demo/preview.py

Its words name no mirror, since it stands on every site that cannot draw its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from generator.preview_drawing import draw_preview  # noqa: E402

TARGET = ROOT / "templates" / "assets" / "preview.png"


def main() -> None:
    """Write the picture."""
    foot = "Signed scholarly records, checked against pinned keys"
    TARGET.write_bytes(draw_preview("Pith mirror", foot=foot))
    print(TARGET.relative_to(ROOT))


if __name__ == "__main__":
    main()

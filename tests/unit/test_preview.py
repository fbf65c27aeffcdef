"""preview.py: preview images, with Pillow and without."""

from __future__ import annotations

import io
from dataclasses import replace
from importlib.util import find_spec

import pytest
from PIL import Image

from generator import preview
from generator.config import Configuration, Presentation, PreviewImages
from generator.errors import ConfigurationError
from generator.preview import PREVIEW, record_preview, with_preview
from generator.preview_drawing import PREVIEW_SIZE, draw_preview, is_drawable
from generator.resources import read_resources
from tests.factories import TEMPLATES, TEST_MIRROR, known_of
from tests.vectors.builders import PAPER, bundle_of

RESOURCES = read_resources([TEMPLATES])
SHIPPED = (TEMPLATES / "assets" / PREVIEW).read_bytes()


def mirror(wanted: PreviewImages, *, base_url: str = "https://mirror.test/") -> Configuration:
    """Configure a mirror."""
    return replace(TEST_MIRROR, base_url=base_url, presentation=Presentation(preview_images=wanted))


@pytest.fixture(name="without_pillow")
def _without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Pillow."""
    monkeypatch.setattr(preview, "find_spec", lambda name: None if name == "PIL" else find_spec)


def size_of(data: bytes) -> tuple[int, int]:
    """Read the size of a PNG."""
    image = Image.open(io.BytesIO(data))
    assert image.format == "PNG"
    return image.size


def test_shipped_picture_is_small_and_of_the_right_size() -> None:
    """The picture for machines without Pillow is one that links are shown with."""
    assert size_of(SHIPPED) == PREVIEW_SIZE
    assert len(SHIPPED) < 15_000


def test_picture_of_the_site_shows_its_title() -> None:
    """Each title has its own picture, and the same title the same bytes."""
    first = with_preview(RESOURCES, mirror(PreviewImages.SITE)).assets[PREVIEW]
    again = with_preview(RESOURCES, mirror(PreviewImages.SITE)).assets[PREVIEW]
    other = replace(mirror(PreviewImages.SITE), title="Another mirror")
    assert first == again
    assert first not in (SHIPPED, with_preview(RESOURCES, other).assets[PREVIEW])
    assert size_of(first) == PREVIEW_SIZE


def test_site_without_address_or_wish_has_no_picture() -> None:
    """A picture that no page can name is not published."""
    for configuration in (mirror(PreviewImages.NONE), mirror(PreviewImages.SITE, base_url="")):
        assert PREVIEW not in with_preview(RESOURCES, configuration).assets


def test_picture_of_the_operator_is_kept() -> None:
    """An operator's own assets/preview.png is published as it is."""
    own = replace(RESOURCES, assets={**RESOURCES.assets, PREVIEW: b"own"})
    assert with_preview(own, mirror(PreviewImages.SITE)).assets[PREVIEW] == b"own"


@pytest.mark.usefixtures("without_pillow")
def test_without_pillow_the_shipped_picture_is_published() -> None:
    """A mirror without Pillow has the picture of the package."""
    assert with_preview(RESOURCES, mirror(PreviewImages.SITE)).assets[PREVIEW] == SHIPPED


@pytest.mark.usefixtures("without_pillow")
def test_without_pillow_pictures_of_records_are_refused() -> None:
    """What cannot be drawn is an error with the way out, not a site without the pictures."""
    with pytest.raises(ConfigurationError, match=r"pith-mirror\[preview\]"):
        with_preview(RESOURCES, mirror(PreviewImages.RECORDS))


def test_record_has_a_picture_only_where_asked_for() -> None:
    """One file beside the page with "records"; none otherwise."""
    known = known_of(bundle_of())
    (file,) = record_preview(known, mirror(PreviewImages.RECORDS))
    assert file.path == f"pith/{known.suffix}/preview.png"
    assert size_of(file.data) == PREVIEW_SIZE
    assert record_preview(known, mirror(PreviewImages.SITE)) == ()
    assert record_preview(known, mirror(PreviewImages.RECORDS, base_url="")) == ()


def test_title_that_the_font_lacks_gives_way_to_the_number() -> None:
    """A title in other letters is not drawn as boxes: the Pith Number stands there."""
    known = known_of(bundle_of(replace(PAPER, title="量子力学")))
    number = str(known.state.pith_number)
    (file,) = record_preview(known, mirror(PreviewImages.RECORDS))
    assert file.data == draw_preview(number, foot=number)
    assert not is_drawable("量子力学")
    assert is_drawable("Plain words, 100 %")


def test_long_titles_end_with_dots() -> None:
    """What is over four lines is left out, and the picture keeps its size."""
    title = "word " * 120
    assert size_of(draw_preview(title, foot="")) == PREVIEW_SIZE
    assert draw_preview(title, foot="") == draw_preview(f"{title} more", foot="")

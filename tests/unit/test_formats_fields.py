"""Fields of an object: each error names the path, what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.errors import FormatError
from generator.formats.canonical import JsonValue
from generator.formats.fields import Fields, fields_of

OBJECT = Fields(
    "a.b",
    {
        "text": "x",
        "empty": "",
        "int": 3,
        "true": True,
        "list": [1],
        "object": {"c": 1},
        "null": None,
    },
)


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda f: f.required("gone"), "a.b.gone: expected the field, found nothing"),
        (lambda f: f.text("gone"), "a.b.gone: expected the field, found nothing"),
        (lambda f: f.text("null"), "a.b.null: expected a string, found null"),
        (lambda f: f.text("int"), "a.b.int: expected a string, found an integer"),
        (
            lambda f: f.token("empty"),
            "a.b.empty: expected 1 to 256 printable ASCII characters, found ''",
        ),
        (lambda f: f.constant("text", "y"), "a.b.text: expected 'y', found 'x'"),
        (lambda f: f.integer("true"), "a.b.true: expected an integer, found a boolean"),
        (lambda f: f.integer("text"), "a.b.text: expected an integer, found a string"),
        (lambda f: f.integer("int", minimum=4), "a.b.int: expected 4 or more, found 3"),
        (lambda f: f.array("object"), "a.b.object: expected an array, found an object"),
        (lambda f: f.object("list"), "a.b.list: expected an object, found an array"),
    ],
)
def test_error_names_path_expected_and_found(
    read: Callable[[Fields], object], message: str
) -> None:
    """A field that is absent or of the wrong type is an error with all three parts."""
    with pytest.raises(FormatError) as caught:
        read(OBJECT)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["a\nb", "a\u200bb", "\u202ea", "a\0", "\x7f", "\x85", "é"])
def test_token_is_printable_ascii(text: str) -> None:
    """Control and format characters are in no name, nor what one Unicode version has in print."""
    with pytest.raises(FormatError, match="printable ASCII characters"):
        Fields("", {"x": text}).token("x")


def test_token_is_bounded() -> None:
    """A name of 256 characters is read, one more is refused and quoted in part only."""
    assert Fields("", {"x": "t" * 256}).token("x") == "t" * 256
    with pytest.raises(FormatError, match=r"found 't{160}… \(97 more characters\)'"):
        Fields("", {"x": "t" * 257}).token("x")


def test_fields_that_are_right_are_given() -> None:
    """Each kind of field is given as it stands, objects with their path."""
    assert OBJECT.text("empty") == ""
    assert OBJECT.integer("int", minimum=3) == 3
    assert OBJECT.array("list") == [1]
    assert OBJECT.object("object") == Fields("a.b.object", {"c": 1})
    assert OBJECT.constant("text", "x") == "x"


@pytest.mark.parametrize("value", [None, [], "", 0, True])
def test_only_an_object_has_fields(value: JsonValue) -> None:
    """A value of any other type is refused at its path."""
    with pytest.raises(FormatError, match=r"^events\[3\]: expected an object"):
        fields_of(value, path="events[3]")

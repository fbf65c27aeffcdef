"""config.py: mirror.toml is read whole or refused with file, line and key."""

from __future__ import annotations

import pytest

from generator.config import Coding, Configuration, Profile, Upstream, parse_configuration
from generator.errors import ConfigurationError
from generator.formats.block_headers import NO_BLOCK_HEADERS
from generator.formats.keys import EventProfile, Role
from generator.limits import DEFAULT_LIMITS
from generator.standing import MergePolicy, UncheckableEvents
from tests.factories import ROOT
from tests.statement_bundles import headers_of

KEY = """\
[[trusted_keys]]
key_id = "k"
algorithm = "ed25519"
public_key_b64 = "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM="
signer_id = "s"
roles = ["registry"]
valid_from = 2026-05-01T00:00:00Z
"""
WHOLE = """\
[mirror]
title = "T"
operator = "O"
base_url = "https://mirror.example/sub"
example_registry = true

[[trusted_keys]]
key_id = "k"
algorithm = "ed25519"
public_key_b64 = "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM="
signer_id = "s"
roles = ["registry", "author", "operator"]
valid_from = 2026-05-01T02:00:00+02:00
valid_until = 2027-05-01T00:00:00Z
revoked_at = 2026-12-01T00:00:00.5Z
event_profile = "mirror/1"

[[upstream]]
name = "one"
base_url = "https://one.example"

[[upstream]]
name = "two"
base_url = "http://[::1]:8000/"

[build]
uncheckable_events = "accept"

[thresholds]
citation = 2
"""


def fault(text: str | bytes) -> str:
    """Read a configuration that has to be refused.

    Args:
        text: the file.

    Returns:
        The message.
    """
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(ConfigurationError) as caught:
        parse_configuration(data, name="m.toml")
    return str(caught.value)


def test_every_key_is_read() -> None:
    """Each key of the file reaches the configuration in its checked form."""
    found = parse_configuration(WHOLE.encode(), name="m.toml")
    assert (found.title, found.operator) == ("T", "O")
    assert found.base_url == "https://mirror.example/sub/"
    assert found.upstreams == (
        Upstream("one", "https://one.example/"),
        Upstream("two", "http://[::1]:8000/"),
    )
    assert found.policy == MergePolicy(UncheckableEvents.ACCEPT, (("citation", 2),))
    assert found.example_registry
    (key,) = found.trust.by_id.values()
    assert (key.key_id, key.signer_id) == ("k", "s")
    assert key.public_key.hex().startswith("b2d552b68890")
    assert key.roles == (Role.REGISTRY, Role.AUTHOR, Role.OPERATOR)
    assert str(key.valid_from) == "2026-05-01T00:00:00Z"
    assert str(key.valid_until) == "2027-05-01T00:00:00Z"
    assert str(key.revoked_at) == "2026-12-01T00:00:00.500000Z"
    assert key.event_profile is EventProfile.MIRROR1


def test_defaults_are_the_careful_ones() -> None:
    """Only a key is needed; nothing unchecked is accepted, no profile assumed, no URL invented."""
    found = parse_configuration(KEY.encode(), name="m.toml")
    (key,) = found.trust.by_id.values()
    assert (found.title, found.operator, found.base_url) == ("Pith mirror", "", "")
    assert found.upstreams == ()
    assert found.policy == MergePolicy(UncheckableEvents.CARRY, ())
    assert not found.example_registry
    assert found.block_headers == NO_BLOCK_HEADERS
    assert key.event_profile is EventProfile.UNKNOWN
    assert key.valid_until is key.revoked_at is None


@pytest.mark.parametrize("profile", Profile)
def test_profile_is_one_of_two_words(profile: Profile) -> None:
    """The profile is read by its word, `full` unless told; only a full site has full text."""
    text = f"[build]\nprofile = '{profile.value}'\n{KEY}".encode()
    found = parse_configuration(text, name="m.toml").presentation
    assert found.profile is profile
    assert found.has_full_text == (profile is Profile.FULL)
    default = parse_configuration(KEY.encode(), name="m.toml").presentation
    assert default.profile is Profile.FULL
    assert fault(f"[build]\nprofile = 'small'\n{KEY}").startswith(
        "m.toml, line 2, build.profile: expected "
    )


def test_codings_come_in_one_order_and_each_once() -> None:
    """The order in which siblings are asked for says nothing; a coding named twice is a mistake."""

    def parsed(value: str) -> tuple[Coding, ...]:
        text = f"[build]\nprecompress = {value}\n{KEY}".encode()
        return parse_configuration(text, name="m.toml").presentation.precompress

    assert parsed("['zst', 'gz', 'br']") == parsed("['gz', 'br', 'zst']") == tuple(Coding)
    assert parse_configuration(KEY.encode(), name="m.toml").presentation.precompress == ()
    for value in ("['gz', 'gz']", "['gzip']", "[]", "'gz'", "[1]"):
        message = fault(f"[build]\nprecompress = {value}\n{KEY}")
        assert message.startswith("m.toml, line 2, build.precompress: expected ")


def test_shipped_configuration_pins_the_registry() -> None:
    """The mirror.toml of the repository is right and pins the registry's published key."""
    found = parse_configuration((ROOT / "mirror.toml").read_bytes(), name="mirror.toml")
    (key,) = found.trust.by_id.values()
    assert key.fingerprint == "8d4b5ee74e4693bcd1df2446408b0d54"
    assert key.fingerprint_base32 == "RVFV5Z2OI2J3ZUO7ERDEBCYNKS"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("speed = 1", 3, "speed"),
        ('"speed" = 1', 3, "speed"),
        ("[speed]", 3, "speed"),
        ("[[speed]]", 3, "speed"),
        ("[speed.of]\nlight = 1", 3, "speed"),
        ("speed.of = 1", 3, "speed"),
        ("[mirror]\ntitel = 'x'", 4, "mirror.titel"),
        ("[mirror]\n\n  'titel' = 'x'", 5, "mirror.titel"),
        ("[mirror] # comment\ntitel.of = 'x'", 4, "mirror.titel"),
        ("[mirror.titel]\nx = 1", 3, "mirror.titel"),
        ("[build]\nstrict = true", 4, "build.strict"),
        ("[trust]\nrotation = 'x'", 4, "trust.rotation"),
        ("[thresholds]\ncitations = 2", 4, "thresholds.citations"),
        ("[thresholds]\nrecord_created = 2", 4, "thresholds.record_created"),
        ("[thresholds]\ncitation = 1\n'pith.integrity.v1' = 1", 5, "thresholds.pith.integrity.v1"),
        ("[thresholds]\nendorsement = 1", 4, "thresholds.endorsement"),
        ("[[upstream]]\nname = 'x'\nbase_url = 'http://x/'\nurl = ''", 6, "upstream.url"),
    ],
)
def test_unknown_key_names_its_line(text: str, line: int, key: str) -> None:
    """A key that is not known is an error with file, line and key, at any place of the file."""
    message = fault(f"# one\n# two\n{text}\n{KEY}")
    assert message.startswith(f"m.toml, line {line}, {key}: expected one of ")
    assert message.endswith("found an unknown key")


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("mirror = 1", 3, "mirror"),
        ("[[mirror]]", 3, "mirror"),
        ("[build]\nuncheckable_events = 1", 4, "build.uncheckable_events"),
        ("[build]\nuncheckable_events = 'ignore'", 4, "build.uncheckable_events"),
        ("[mirror]\nexample_registry = 'no'", 4, "mirror.example_registry"),
        ("[mirror]\nexample_registry = 1", 4, "mirror.example_registry"),
        ("[[thresholds]]\ncitation = 2", 3, "thresholds"),
        ("[thresholds]\ncitation = 0", 4, "thresholds.citation"),
        ("[thresholds]\ncitation = true", 4, "thresholds.citation"),
        ("[thresholds]\ncitation = 1.5", 4, "thresholds.citation"),
        ("[thresholds]\ncitation = '2'", 4, "thresholds.citation"),
        ("[trust]\nrotations = []", 4, "trust.rotations"),
        ("[trust]\nblock_headers = 1", 4, "trust.block_headers"),
        ("upstream = {}", 3, "upstream"),
        ("[upstream]", 3, "upstream"),
        ("[mirror]\ntitle = 3", 4, "mirror.title"),
        ("[mirror]\ntitle = 'x'\noperator = ['x']", 5, "mirror.operator"),
        ("[ mirror ]\ntitle = 3", 4, "mirror.title"),
        ('["mirror"]\ntitle = 3', 4, "mirror.title"),
        ("mirror.title = 3", 3, "mirror.title"),
        ('[mirror]\ntitle = "a\\nb"', 4, "mirror.title"),
        ('[mirror]\ntitle = "a\\u202Eb"', 4, "mirror.title"),
        ("[mirror]\nbase_url = 'ftp://x/'", 4, "mirror.base_url"),
        ("[mirror]\nbase_url = 'javascript:alert(1)'", 4, "mirror.base_url"),
        ("[mirror]\nbase_url = 'https://x/\"><script>'", 4, "mirror.base_url"),
        ("[mirror]\nbase_url = 'https://x/$(id)/'", 4, "mirror.base_url"),
        ("[mirror]\nbase_url = 'https://x/?a=b'", 4, "mirror.base_url"),
        ("[mirror]\nbase_url = 'mirror.example'", 4, "mirror.base_url"),
        ("[[upstream]]\nname = ''\nbase_url = 'http://x/'", 4, "upstream.name"),
        ("[[upstream]]\nname = 'x'", 3, "upstream.base_url"),
        ("[[upstream]]\nname = 'x'\nbase_url = ''", 5, "upstream.base_url"),
        (
            "[[upstream]]\nname = 'x'\nbase_url = 'http://x/'\n[[upstream]]\nbase_url = 2",
            7,
            "upstream.base_url",
        ),
    ],
)
def test_wrong_value_names_its_line(text: str, line: int, key: str) -> None:
    """A value of a wrong type or spelling is an error with file, line and key."""
    message = fault(f"# one\n# two\n{text}\n{KEY}")
    assert message.startswith(f"m.toml, line {line}, {key}: expected ")
    assert message.isprintable()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("key_id", '""'),
        ("key_id", "1"),
        ("algorithm", '"rsa"'),
        ("algorithm", '"Ed25519"'),
        ("public_key_b64", '"AA=="'),
        ("public_key_b64", '"stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbN="'),
        ("public_key_b64", '"not base64"'),
        ("public_key_b64", "1"),
        ("signer_id", '""'),
        ("roles", "[]"),
        ("roles", '"registry"'),
        ("roles", '["registry", 1]'),
        ("roles", '["owner"]'),
        ("valid_from", '"2026-05-01T00:00:00Z"'),
        ("valid_from", "2026-05-01"),
        ("valid_from", "2026-05-01T00:00:00"),
        ("valid_from", "0001-01-01T00:00:00+01:00"),
        ("valid_until", "9999-12-31T23:59:59-01:00"),
        ("valid_until", "2026-05-01T00:00:00Z"),
        ("valid_until", "12:00:00"),
        ("revoked_at", "true"),
        ("event_profile", '"mirror/2"'),
        ("event_profile", "1"),
        ("comment", '"x"'),
    ],
)
def test_wrong_key_entry_names_its_line(name: str, value: str) -> None:
    """Whatever is wrong with a trusted key, the message names the line in the right table."""
    lines = [line for line in KEY.splitlines() if not line.startswith(f"{name} ")]
    other = KEY.replace('"k"', '"other"')
    message = fault("\n".join([other, *lines, f"{name} = {value}"]))
    number = len(other.splitlines()) + 1 + len(lines) + 1
    assert message.startswith(f"m.toml, line {number}, trusted_keys.{name}: expected ")


@pytest.mark.parametrize(
    "name", ["key_id", "algorithm", "public_key_b64", "signer_id", "roles", "valid_from"]
)
def test_missing_key_entry_names_the_table(name: str) -> None:
    """A trusted key without a part that it needs is an error at the table's line."""
    lines = [line for line in KEY.splitlines() if not line.startswith(f"{name} ")]
    message = fault("# one\n" + "\n".join(lines))
    assert message.startswith(f"m.toml, line 2, trusted_keys.{name}: expected ")


def test_two_keys_of_one_id_are_refused() -> None:
    """A key id stands once, or a second entry could quietly replace the first."""
    assert fault(KEY + KEY).startswith("m.toml, line 9, trusted_keys.key_id: expected each key id")


@pytest.mark.parametrize("key", ["rotations", "block_headers"])
def test_file_that_is_wrong_names_the_key_and_the_file(key: str) -> None:
    """A file that the configuration names is read with it, and a fault in it names both."""
    text = f"[trust]\n{key} = 'beside'\n{KEY}".encode()
    asked = []

    def read(name: str) -> bytes:
        asked.append(name)
        return b"\xff"

    with pytest.raises(ConfigurationError) as caught:
        parse_configuration(text, name="m.toml", read=read)
    assert asked == ["beside"]
    assert str(caught.value).startswith(f"m.toml, line 2, trust.{key}: expected ")
    assert "beside" in str(caught.value)
    assert fault(text).startswith("beside: expected no further file")


def test_easy_block_headers_are_for_an_example_registry_alone() -> None:
    """A header that anyone can make proves nothing, so a mirror of real records refuses it."""
    lines, headers = f"[trust]\nblock_headers = 'h'\n{KEY}", headers_of(250)

    def parsed(text: str) -> Configuration:
        return parse_configuration(text.encode(), name="m.toml", read=lambda _: headers)

    with pytest.raises(ConfigurationError, match=r"line 2, trust\.block_headers: .* height 250"):
        parsed(lines)
    found = parsed(f"[mirror]\nexample_registry = true\n{lines}").block_headers
    assert [header.height for header in found.headers] == [250]


@pytest.mark.parametrize("text", ["", "[mirror]\n", "trusted_keys = []\n"])
def test_no_trusted_key_is_refused(text: str) -> None:
    """Without a key nothing could verify, and that is said once instead of for each record."""
    assert "one or more [[trusted_keys]]" in fault(text)


@pytest.mark.parametrize(
    "data",
    [
        b"[mirror",
        b"[mirror]\ntitle = 'a'\ntitle = 'b'\n",
        b"\xef\xbb\xbf" + KEY.encode(),
        b"[mirror]\ntitle = '\xff'\n",
        b"\0",
        b"x = " + b"[" * 100_000,
    ],
    ids=["open", "twice", "bom", "latin-1", "nul", "deep"],
)
def test_file_that_is_no_toml_is_refused(data: bytes) -> None:
    """Bytes that are no TOML give one printable line that names the file."""
    message = fault(data)
    assert message.startswith("m.toml: expected TOML, found ")
    assert message.isprintable()


def test_length_of_the_file_is_bounded() -> None:
    """A file over the bound is refused before it is parsed."""
    limit = DEFAULT_LIMITS.configuration_max_length
    padded = (KEY + "#").ljust(limit, "x")
    assert parse_configuration(padded.encode(), name="m.toml").title
    assert fault(padded + "x") == f"m.toml: expected at most {limit} bytes, found {limit + 1} bytes"


def test_hostile_key_name_stays_on_one_line() -> None:
    """The name of an unknown key is made printable in the message."""
    message = fault(f'[mirror]\n"a\\nb\\u202E{"c" * 500}" = 1\n{KEY}')
    assert message.isprintable()
    assert len(message) < 500


def test_unusual_line_separators_do_not_shift_the_count() -> None:
    """Lines are counted as editors and TOML count them: at line feeds alone."""
    assert fault(f"# a\u2028b\x85c\n[mirror]\ntitle = 1\n{KEY}").startswith("m.toml, line 3, ")


def test_files_for_machines_can_be_chosen() -> None:
    """Parquet is on unless it is turned off; a gateway is an address, and ends with a slash."""
    default = parse_configuration(KEY.encode(), name="m").presentation
    assert (default.parquet, default.oai_gateway) == (True, "")
    text = '[mirror]\noai_gateway = "https://gateway.example/oai"\n[build]\nparquet = false\n'
    chosen = parse_configuration((text + KEY).encode(), name="m").presentation
    assert (chosen.parquet, chosen.oai_gateway) == (False, "https://gateway.example/oai/")
    assert "true or false" in fault(f'[build]\nparquet = "no"\n{KEY}')
    assert "an http(s) URL" in fault(f'[mirror]\noai_gateway = "gateway"\n{KEY}')

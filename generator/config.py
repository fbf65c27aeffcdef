"""`mirror.toml`: the mirror's own configuration, and the only source of trust (see design).

Unknown keys and wrong types are errors that name the line: a misspelt `revoked_at` must not pass in
silence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from generator.errors import ConfigurationError, FormatError
from generator.formats.block_headers import (
    NO_BLOCK_HEADERS,
    BlockHeaders,
    parse_block_headers,
)
from generator.formats.canonical import parse_json_array
from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import (
    PUBLIC_KEY_LENGTH,
    EventProfile,
    Role,
    TrustedKey,
    TrustedKeys,
    parse_base64,
    trusted_keys,
)
from generator.formats.kinds import ENDORSABLE
from generator.formats.rotation import apply_rotations
from generator.limits import DEFAULT_LIMITS, shorten
from generator.standing import MergePolicy, UncheckableEvents
from generator.toml_lines import TomlLines

# Commands, attributes and links on pages carry the address: nothing that any of them would quote.
_HTTP_URL = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+(?:/[A-Za-z0-9._~%/@:+,=-]*)?")
_TABLES = ("mirror", "trust", "trusted_keys", "upstream", "build", "thresholds")


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where bundles come from; pages link there for what only the registry can do."""

    name: str
    base_url: str  # with trailing slash


@dataclass(frozen=True, slots=True)
class Configuration:
    """The whole of `mirror.toml`, checked."""

    title: str
    operator: str
    base_url: str  # with trailing slash, or empty
    example_registry: bool  # marked as such on every page; never set for real records
    trust: TrustedKeys
    block_headers: BlockHeaders
    upstreams: tuple[Upstream, ...]
    policy: MergePolicy


@dataclass(frozen=True, slots=True)
class _File:
    """The file as named in messages, and its lines."""

    name: str
    lines: TomlLines


class _Table:
    """A TOML table that checks types, knows its line, and remembers which keys were read."""

    def __init__(self, file: _File, header: str, index: int, values: dict[str, object]) -> None:
        self._file = file
        self._header = header
        self._index = index
        self._values = values

    def fault(self, key: str, expected: str, found: str) -> ConfigurationError:
        line = self._file.lines.line_of(self._header, self._index, key)
        name = shorten(".".join(filter(None, (self._header, key))))
        return ConfigurationError(
            f"{self._file.name}, line {line}, {name}", expected=expected, found=shorten(found)
        )

    def allow(self, *keys: str) -> None:
        for key in self._values:
            if key not in keys:
                raise self.fault(key, f"one of {', '.join(keys)}", "an unknown key")

    def text(self, key: str, default: str | None = None) -> str:
        value = self._values.get(key, default)
        if value is None:
            raise self.fault(key, "a string", "nothing")
        if not isinstance(value, str) or not value.isprintable():
            raise self.fault(key, "a string on one line", repr(value))
        return value

    def url(self, key: str, default: str | None = None) -> str:
        text = self.text(key, default)
        if text and not _HTTP_URL.fullmatch(text):
            raise self.fault(key, "an http(s) URL", text)
        return text if not text or text.endswith("/") else text + "/"

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._values.get(key)
        if not isinstance(value, list) or not value:
            raise self.fault(key, "an array of one or more strings", repr(value))
        for item in value:
            if not isinstance(item, str):
                raise self.fault(key, "an array of strings", repr(value))
        return tuple(value)

    def flag(self, key: str) -> bool:
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise self.fault(key, "true or false", repr(value))
        return value

    def has(self, key: str) -> bool:
        return key in self._values

    def count(self, key: str) -> int:
        value = self._values[key]
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fault(key, "a number from 1 on", repr(value))
        return value

    def instant(self, key: str) -> Instant | None:
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, datetime) or value.tzinfo is None:
            raise self.fault(key, "a time with zone, as 2026-05-01T00:00:00Z", repr(value))
        try:
            text = value.astimezone(UTC).isoformat().replace("+00:00", "Z")
            return parse_instant(text, subject=key)
        except (OverflowError, FormatError) as error:
            raise self.fault(key, "a time between the years 1 and 9999", repr(value)) from error


def _no_files(name: str) -> bytes:
    raise ConfigurationError(name, expected="no further file", found="a name of one")


def parse_configuration(
    data: bytes, *, name: str, read: Callable[[str], bytes] = _no_files
) -> Configuration:
    """Read a mirror's configuration.

    Args:
        data: the bytes of `mirror.toml`.
        name: the file as named in messages.
        read: gives the bytes of a file that the configuration names, relative to it; by default
            none may be named.

    Returns:
        The configuration.

    Raises:
        ConfigurationError: not TOML, an unknown key, a wrong type, a key that is no Ed25519 key or
            of small order, no trusted key at all, or two with one id.
    """
    document, file = _parse_toml(data, name)
    mirror = _table(document, file, "mirror")
    mirror.allow("title", "operator", "base_url", "example_registry")
    build = _table(document, file, "build")
    build.allow("uncheckable_events")
    keys = _trusted_keys(_tables(document, file, "trusted_keys"))
    if not keys:
        # Zero keys would reject every record one by one; say the one cause instead.
        raise ConfigurationError(
            name, expected="one or more [[trusted_keys]]", found="none, so nothing could verify"
        )
    trust = _table(document, file, "trust")
    trust.allow("rotations", "block_headers")
    example = mirror.flag("example_registry")
    return Configuration(
        title=_title(mirror),
        operator=mirror.text("operator", ""),
        base_url=mirror.url("base_url", ""),
        example_registry=example,
        trust=_rotated(trusted_keys(keys), trust, read),
        block_headers=_block_headers(trust, read, example=example),
        upstreams=tuple(_upstream(table) for table in _tables(document, file, "upstream")),
        policy=MergePolicy(_uncheckable(build), _thresholds(_table(document, file, "thresholds"))),
    )


def _parse_toml(data: bytes, name: str) -> tuple[dict[str, object], _File]:
    if len(data) > DEFAULT_LIMITS.configuration_max_length:
        raise ConfigurationError(
            name,
            expected=f"at most {DEFAULT_LIMITS.configuration_max_length} bytes",
            found=f"{len(data)} bytes",
        )
    try:
        text = data.decode("utf-8")
        document: dict[str, object] = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(name, expected="TOML", found=shorten(str(error))) from error
    file = _File(name, TomlLines(text))
    _Table(file, "", 0, document).allow(*_TABLES)
    return document, file


def _table(document: dict[str, object], file: _File, header: str) -> _Table:
    value = document.get(header, {})
    if not isinstance(value, dict):
        raise _Table(file, header, 0, {}).fault("", f"a table [{header}]", repr(value))
    return _Table(file, header, 0, value)


def _tables(document: dict[str, object], file: _File, header: str) -> list[_Table]:
    value = document.get(header, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _Table(file, header, 0, {}).fault("", f"tables [[{header}]]", repr(value))
    return [_Table(file, header, index, item) for index, item in enumerate(value)]


def _trusted_keys(tables: list[_Table]) -> tuple[TrustedKey, ...]:
    keys: dict[str, TrustedKey] = {}
    for table in tables:
        key = _trusted_key(table)
        if key.key_id in keys:
            raise table.fault("key_id", "each key id once", key.key_id)
        if key.valid_until is not None and key.valid_until <= key.valid_from:
            raise table.fault("valid_until", f"a time after {key.valid_from}", str(key.valid_until))
        keys[key.key_id] = key
    return tuple(keys.values())


def _trusted_key(table: _Table) -> TrustedKey:
    table.allow(
        "key_id",
        "algorithm",
        "public_key_b64",
        "signer_id",
        "roles",
        "valid_from",
        "valid_until",
        "revoked_at",
        "event_profile",
    )
    if table.text("algorithm") != "ed25519":
        raise table.fault("algorithm", "ed25519", table.text("algorithm"))
    valid_from = table.instant("valid_from")
    if valid_from is None:
        raise table.fault("valid_from", "the time from which signatures count", "nothing")
    key_id, signer_id = _named(table, "key_id"), _named(table, "signer_id")
    try:
        return TrustedKey(
            key_id=key_id,
            public_key=parse_base64(
                table.text("public_key_b64"), subject="public_key_b64", length=PUBLIC_KEY_LENGTH
            ),
            signer_id=signer_id,
            roles=tuple(_role(table, text) for text in table.texts("roles")),
            valid_from=valid_from,
            valid_until=table.instant("valid_until"),
            revoked_at=table.instant("revoked_at"),
            event_profile=_profile(table),
        )
    except FormatError as error:
        raise table.fault("public_key_b64", error.expected, error.found) from error


def _title(mirror: _Table) -> str:
    text = mirror.text("title", "Pith mirror")
    if not text.strip():
        raise mirror.fault("title", "a title", repr(text))
    return text


def _named(table: _Table, key: str) -> str:
    text = table.text(key)
    if not text:
        raise table.fault(key, "a name", "an empty string")
    return text


def _role(table: _Table, text: str) -> Role:
    try:
        return Role(text)
    except ValueError as error:
        expected = f"one of {', '.join(role.value for role in Role)}"
        raise table.fault("roles", expected, text) from error


def _profile(table: _Table) -> EventProfile:
    text = table.text("event_profile", EventProfile.UNKNOWN.value)
    try:
        return EventProfile(text)
    except ValueError as error:
        expected = f"one of {', '.join(profile.value for profile in EventProfile)}"
        raise table.fault("event_profile", expected, text) from error


def _rotated(keys: TrustedKeys, table: _Table, read: Callable[[str], bytes]) -> TrustedKeys:
    if not table.has("rotations"):
        return keys
    name = table.text("rotations")
    try:
        return apply_rotations(keys, parse_json_array(read(name), subject=name))
    except FormatError as error:
        raise table.fault(
            "rotations", error.expected, f"{error.found} ({error.subject})"
        ) from error


def _block_headers(table: _Table, read: Callable[[str], bytes], *, example: bool) -> BlockHeaders:
    if not table.has("block_headers"):
        return NO_BLOCK_HEADERS
    name = table.text("block_headers")
    try:
        headers = parse_block_headers(read(name), subject=name)
    except FormatError as error:
        raise table.fault(
            "block_headers", error.expected, f"{error.found} ({error.subject})"
        ) from error
    easy = next((header for header in headers.headers if header.is_of_a_test_chain), None)
    if easy is not None and not example:
        # Anyone can make such a header in a second; a check mark for it would be worth nothing.
        expected = "headers of Bitcoin's main chain"
        raise table.fault("block_headers", expected, f"an easier one at height {easy.height}")
    return headers


def _thresholds(table: _Table) -> tuple[tuple[str, int], ...]:
    table.allow(*ENDORSABLE)
    return tuple((kind, table.count(kind)) for kind in ENDORSABLE if table.has(kind))


def _uncheckable(build: _Table) -> UncheckableEvents:
    text = build.text("uncheckable_events", UncheckableEvents.CARRY.value)
    try:
        return UncheckableEvents(text)
    except ValueError as error:
        raise build.fault("uncheckable_events", "carry or accept", text) from error


def _upstream(table: _Table) -> Upstream:
    table.allow("name", "base_url")
    url = table.url("base_url")
    if not url:
        raise table.fault("base_url", "an http(s) URL", "an empty string")
    return Upstream(name=_named(table, "name"), base_url=url)

"""`mirror.toml`: the mirror's own configuration, and the only source of trust (see design).

Unknown keys and wrong types are errors that name the line: a misspelt `revoked_at` must not pass in
silence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from generator.errors import ConfigurationError, FormatError
from generator.formats.block_headers import (
    NO_BLOCK_HEADERS,
    BlockHeaders,
    parse_block_headers,
)
from generator.formats.canonical import parse_json_array
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
from generator.language import CODE, ENGLISH
from generator.standing import MergePolicy, UncheckableEvents
from generator.toml_tables import TomlTable, parse_toml

_TABLES = ("mirror", "trust", "trusted_keys", "upstream", "build", "thresholds")


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where bundles come from; pages link there for what only the registry can do."""

    name: str
    base_url: str  # with trailing slash


class Canonical(Enum):
    """Whose page of a record a search engine is asked to show (RFC 6596)."""

    REGISTRY = "registry"  # the first upstream's; a mirror does not compete with it
    MIRROR = "mirror"  # this mirror's own


class PreviewImages(Enum):
    """For which pages a preview image is drawn, as chats and social networks show beside a link."""

    NONE = "none"
    SITE = "site"  # one for all pages
    RECORDS = "records"  # also one for each record


class Profile(Enum):
    """Which files of each record are written; hosts count and bill files (ADR 16)."""

    FULL = "full"
    COMPACT = "compact"  # only what cannot be computed from others, or stands in other sites


class Coding(Enum):
    """A content coding (RFC 9110 8.4.1) of finished siblings; the value is the sibling's ending."""

    GZIP = "gz"
    BROTLI = "br"
    ZSTD = "zst"


@dataclass(frozen=True, slots=True)
class Presentation:
    """How the site presents what is known; nothing here changes what is trusted."""

    language: str = ENGLISH  # RFC 5646
    canonical: Canonical = Canonical.REGISTRY
    integrity: bool = False  # `integrity` attributes: browsers then refuse the pages of a disk
    full_text_search: bool = True  # with Pagefind, where it is installed
    preview_images: PreviewImages = PreviewImages.SITE
    raw_html: bool = False  # in content pages; otherwise it is shown as text
    templates: str = ""  # the operator's own folder of templates, empty for none
    parquet: bool = True  # the catalogue as Parquet too, where pyarrow is installed
    oai_gateway: str = ""  # of an OAI-PMH static repository; with trailing slash, or empty
    profile: Profile = Profile.FULL
    precompress: tuple[Coding, ...] = ()  # in the order of `Coding`

    @property
    def has_full_text(self) -> bool:
        """Whether Pagefind is to be asked: it writes a file for each record, so not if compact."""
        return self.full_text_search and self.profile is Profile.FULL


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
    presentation: Presentation = Presentation()


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
    document = parse_toml(data, name=name, headers=_TABLES)
    mirror, build = document.table("mirror"), document.table("build")
    mirror.allow(
        "title", "operator", "base_url", "example_registry", "language", "canonical", "oai_gateway"
    )
    build.allow(
        "uncheckable_events",
        "integrity",
        "full_text_search",
        "parquet",
        "precompress",
        "preview_images",
        "profile",
        "raw_html",
        "templates",
    )
    keys = _trusted_keys(document.tables("trusted_keys"))
    if not keys:
        # Zero keys would reject every record one by one; say the one cause instead.
        raise ConfigurationError(
            name, expected="one or more [[trusted_keys]]", found="none, so nothing could verify"
        )
    trust = document.table("trust")
    trust.allow("rotations", "block_headers")
    example = mirror.flag("example_registry")
    return Configuration(
        title=_title(mirror),
        operator=mirror.text("operator", ""),
        base_url=mirror.url("base_url", ""),
        example_registry=example,
        trust=_rotated(trusted_keys(keys), trust, read),
        block_headers=_block_headers(trust, read, example=example),
        upstreams=tuple(_upstream(table) for table in document.tables("upstream")),
        policy=MergePolicy(
            build.word("uncheckable_events", UncheckableEvents, UncheckableEvents.CARRY),
            _thresholds(document.table("thresholds")),
        ),
        presentation=_presentation(mirror, build),
    )


def _trusted_keys(tables: list[TomlTable]) -> tuple[TrustedKey, ...]:
    keys: dict[str, TrustedKey] = {}
    for table in tables:
        key = _trusted_key(table)
        if key.key_id in keys:
            raise table.fault("key_id", "each key id once", key.key_id)
        if key.valid_until is not None and key.valid_until <= key.valid_from:
            raise table.fault("valid_until", f"a time after {key.valid_from}", str(key.valid_until))
        keys[key.key_id] = key
    return tuple(keys.values())


def _trusted_key(table: TomlTable) -> TrustedKey:
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
            roles=tuple(table.word_of("roles", text, Role) for text in table.texts("roles")),
            valid_from=valid_from,
            valid_until=table.instant("valid_until"),
            revoked_at=table.instant("revoked_at"),
            event_profile=table.word("event_profile", EventProfile, EventProfile.UNKNOWN),
        )
    except FormatError as error:
        raise table.fault("public_key_b64", error.expected, error.found) from error


def _title(mirror: TomlTable) -> str:
    text = mirror.text("title", "Pith mirror")
    if not text.strip():
        raise mirror.fault("title", "a title", repr(text))
    return text


def _named(table: TomlTable, key: str) -> str:
    text = table.text(key)
    if not text:
        raise table.fault(key, "a name", "an empty string")
    return text


def _rotated(keys: TrustedKeys, table: TomlTable, read: Callable[[str], bytes]) -> TrustedKeys:
    if not table.has("rotations"):
        return keys
    name = table.text("rotations")
    try:
        return apply_rotations(keys, parse_json_array(read(name), subject=name))
    except FormatError as error:
        raise table.fault(
            "rotations", error.expected, f"{error.found} ({error.subject})"
        ) from error


def _block_headers(
    table: TomlTable, read: Callable[[str], bytes], *, example: bool
) -> BlockHeaders:
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


def _thresholds(table: TomlTable) -> tuple[tuple[str, int], ...]:
    table.allow(*ENDORSABLE)
    return tuple((kind, table.count(kind)) for kind in ENDORSABLE if table.has(kind))


def _presentation(mirror: TomlTable, build: TomlTable) -> Presentation:
    default = Presentation()
    language = mirror.text("language", default.language)
    if not CODE.fullmatch(language):
        raise mirror.fault("language", "a language tag, such as en or pt-BR", language)
    return Presentation(
        language=language,
        canonical=mirror.word("canonical", Canonical, default.canonical),
        integrity=build.flag("integrity", default=default.integrity),
        full_text_search=build.flag("full_text_search", default=default.full_text_search),
        raw_html=build.flag("raw_html", default=default.raw_html),
        templates=build.text("templates", default.templates),
        parquet=build.flag("parquet", default=default.parquet),
        oai_gateway=mirror.url("oai_gateway", default.oai_gateway),
        preview_images=build.word("preview_images", PreviewImages, default.preview_images),
        profile=build.word("profile", Profile, default.profile),
        precompress=_codings(build),
    )


def _codings(build: TomlTable) -> tuple[Coding, ...]:
    if not build.has("precompress"):
        return ()
    given = [build.word_of("precompress", text, Coding) for text in build.texts("precompress")]
    twice = next((coding for coding in given if given.count(coding) > 1), None)
    if twice is not None:
        raise build.fault("precompress", "each coding once", twice.value)
    return tuple(coding for coding in Coding if coding in given)


def _upstream(table: TomlTable) -> Upstream:
    table.allow("name", "base_url")
    url = table.url("base_url")
    if not url:
        raise table.fault("base_url", "an http(s) URL", "an empty string")
    return Upstream(name=_named(table, "name"), base_url=url)

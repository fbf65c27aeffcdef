"""The OAI-PMH static repository file: small collections for harvesters, by way of a gateway.

Open Archives Initiative, "Specification for an OAI Static Repository and an OAI Static Repository
Gateway", 2.0. The file needs an address of its own, one of whoever runs the mirror, at least one
record and no more than a few thousand; a mirror that lacks one of these has no such file, since a
file with a part of the records would look like all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator import layout
from generator.catalogued import CataloguedRecord
from generator.config import Configuration
from generator.formats.instant import parse_instant
from generator.limits import DEFAULT_LIMITS, Limits
from generator.pages import HowKnown
from generator.render import SiteStream
from generator.site_inputs import SiteInputs
from generator.xml_text import xml_element

_STATIC = "http://www.openarchives.org/OAI/2.0/static-repository"
_OAI = "http://www.openarchives.org/OAI/2.0/"
_OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
_DC = "http://purl.org/dc/elements/1.1/"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_NO_GATEWAY = (
    "No gateway is configured ([mirror] oai_gateway), so baseURL is the address of this file. A "
    "gateway takes the file only once baseURL is the address that the gateway gives it."
)
_KNOWN = {
    HowKnown.REPORTED.value: "on the word of the snapshot's signer",
    HowKnown.CARRIED.value: "from a snapshot that this mirror cannot check",
}


def admin_email(configuration: Configuration) -> str:
    """Find the address of whoever runs the mirror, in what it says of its operator.

    Args:
        configuration: the mirror's.

    Returns:
        The first e-mail address, or the empty string.
    """
    match = _EMAIL.search(configuration.operator)
    return match[0] if match else ""


def has_oai_file(configuration: Configuration, *, records: int, limits: Limits) -> bool:
    """Tell whether a mirror can have the file.

    Args:
        configuration: the mirror's.
        records: how many it has.
        limits: how many the file may hold.

    Returns:
        False for an example registry as well: what is harvested loses its banner.
    """
    return (
        bool(configuration.base_url and admin_email(configuration))
        and not configuration.example_registry
        and 0 < records <= limits.oai_records_max_count
    )


def oai_files(inputs: SiteInputs, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[SiteStream]:
    """Make the static repository file.

    Args:
        inputs: the complete catalogue and the configuration.
        limits: how many records the file may hold.

    Returns:
        The file, or nothing if the mirror cannot have one.
    """
    records = inputs.catalogue.record_count()
    if has_oai_file(inputs.configuration, records=records, limits=limits):
        yield SiteStream(layout.OAI_STATIC, _repository(inputs))


def _repository(inputs: SiteInputs) -> Iterator[bytes]:
    configuration = inputs.configuration
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<Repository xmlns="{_STATIC}" xmlns:oai="{_OAI}" xmlns:xsi="{_XSI}"'
        f' xsi:schemaLocation="{_STATIC} {_STATIC}.xsd">\n'
    ).encode()
    if not configuration.presentation.oai_gateway:
        yield f"<!-- {_NO_GATEWAY} -->\n".encode()
    yield from _lines("Identify", _identify(inputs))
    yield from _lines("ListMetadataFormats", [_METADATA_FORMAT])
    yield b'<ListRecords metadataPrefix="oai_dc">\n'
    for record in inputs.catalogue.every_record():
        yield _record(record, configuration).encode()
    yield b"</ListRecords>\n</Repository>\n"


_METADATA_FORMAT = (
    "<oai:metadataFormat>"
    + xml_element("oai:metadataPrefix", "oai_dc")
    + xml_element("oai:schema", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd")
    + xml_element("oai:metadataNamespace", _OAI_DC)
    + "</oai:metadataFormat>"
)


def _lines(name: str, lines: Iterator[str] | list[str]) -> Iterator[bytes]:
    yield f"<{name}>\n".encode()
    for line in lines:
        yield f"{line}\n".encode()
    yield f"</{name}>\n".encode()


def _identify(inputs: SiteInputs) -> Iterator[str]:
    configuration = inputs.configuration
    yield xml_element("oai:repositoryName", configuration.title)
    yield xml_element("oai:baseURL", _base_url(configuration))
    yield xml_element("oai:protocolVersion", "2.0")
    yield xml_element("oai:adminEmail", admin_email(configuration))
    yield xml_element("oai:earliestDatestamp", inputs.catalogue.changes.first_day())
    yield xml_element("oai:deletedRecord", "no")
    yield xml_element("oai:granularity", "YYYY-MM-DD")


def _base_url(configuration: Configuration) -> str:
    own = configuration.base_url + layout.OAI_STATIC
    gateway = configuration.presentation.oai_gateway
    # The specification, 3.2: the gateway's address, a slash, and this one's without its scheme.
    return gateway + own.partition("://")[2] if gateway else own


def _record(record: CataloguedRecord, configuration: Configuration) -> str:
    day = parse_instant(record.changed_at, subject="changed_at").date
    elements = "\n".join(_dublin_core(record, configuration))
    return (
        "<oai:record>\n<oai:header>"
        f"{xml_element('oai:identifier', record.pith_number)}"
        f"{xml_element('oai:datestamp', day)}</oai:header>\n"
        f'<oai:metadata>\n<oai_dc:dc xmlns:oai_dc="{_OAI_DC}" xmlns:dc="{_DC}" xmlns:xsi="{_XSI}"'
        f' xsi:schemaLocation="{_OAI_DC} http://www.openarchives.org/OAI/2.0/oai_dc.xsd">\n'
        f"{elements}\n</oai_dc:dc>\n</oai:metadata>\n</oai:record>\n"
    )


def _dublin_core(record: CataloguedRecord, configuration: Configuration) -> Iterator[str]:
    if record.title:
        yield _dc("title", record.title)
    for author in record.authors:
        yield _dc("creator", author)
    for category in record.categories:
        yield _dc("subject", category)
    if record.abstract:
        yield _dc("description", record.abstract)
    for note in _notes(record):
        yield _dc("description", note)
    yield _dc("date", record.submitted_at[:10])
    yield _dc("type", "Text")
    yield _dc("identifier", record.pith_number)
    page = layout.record_page(record.suffix)
    base_url = configuration.base_url
    yield _dc("identifier", layout.address_of(page, base_url=base_url, source=layout.OAI_STATIC))
    yield _dc("identifier", f"https://arxiv.org/abs/{record.arxiv_id}v{record.version}")
    if record.doi:
        yield _dc("relation", f"https://doi.org/{record.doi}")
    if record.license:
        yield _dc("rights", record.license)


def _notes(record: CataloguedRecord) -> Iterator[str]:
    """Say what Dublin Core has no element for: how a value is known."""
    if record.is_withdrawn:
        yield "Note: this record is withdrawn; a signed statement says so."
    if not record.title:
        yield "Note: the title is not known to this mirror."
    if record.authors and record.authors_known in _KNOWN:
        yield f"Note: creators are {_KNOWN[record.authors_known]}; the record does not prove them."
    if record.abstract and record.abstract_known in _KNOWN:
        yield f"Note: the description is {_KNOWN[record.abstract_known]}, not proven."


def _dc(name: str, text: str) -> str:
    return xml_element(f"dc:{name}", text)

"""Every maximum, with its unit and its reason. Hostile input is normal input."""

from __future__ import annotations

from dataclasses import dataclass

_KIB = 1024
_MIB = 1024 * _KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what a bundle, an archive and a page may cost."""

    # Real bundles are 4 to 40 kB; the largest imaginable (10,000 events) stays far below this.
    bundle_max_length: int = 8 * _MIB  # bytes, after decompression
    # A record with its six aliases and a snapshot nests 7 deep; state in a bundle adds 3.
    json_max_depth: int = 64  # levels of arrays and objects
    # RFC 7493 2.2: beyond this an integer is not the same number in a JavaScript reader.
    json_max_integer: int = 2**53 - 1  # absolute value
    # A float64 needs at most 17 digits, a sign, a point and an exponent.
    json_number_max_length: int = 32  # characters
    # A float64 other than 0 has none beyond 324.
    json_max_exponent: int = 9_999  # absolute value, as written
    # Copies of one record that are united; what is over it is reported and not united.
    united_max_length: int = 64 * _MIB  # bytes of all its bundles
    events_max_count: int = 10_000  # events in one bundle
    # Identifiers, key ids, event types: what is ever indexed, sorted or put in a file name.
    token_max_length: int = 256  # characters
    # Text measures: anything longer is kept in JSON but cut, with a note, on a page.
    shown_title_max_length: int = 1_000  # characters
    listed_title_max_length: int = 300  # characters
    shown_authors_max_length: int = 8_000  # characters
    shown_abstract_max_length: int = 8_000  # characters
    # The largest collaborations sign with some 5,000 names; a list of 500 is still read by nobody.
    listed_authors_max_count: int = 500  # names
    # Enough to know a paper again; the record page has them all.
    listed_names_max_count: int = 3  # authors of a row of a listing
    listed_name_max_length: int = 100  # characters of an author's name
    # A link is some 100 bytes of a page that is to be small; the largest author lists are one text.
    linked_authors_max_count: int = 10  # authors of a record page
    # TeX decoding is a recursive-descent parser: longer text is shown as written.
    tex_max_length: int = 16_000  # characters
    # What a reader waits for on a slow line; a page has it without its own copy of the bundle.
    record_page_max_length: int = 30_000  # bytes of HTML
    # A page with a larger copy would be over the bound above in any case.
    embedded_bundle_max_length: int = 10_000  # bytes
    # A page stays quick to load: more authors are in the visible list and in the citation files.
    head_authors_max_count: int = 50  # authors named in the head of a record page
    # Real ones have about 600 characters; a long list of authors is left to the file.
    shown_bibtex_max_length: int = 4_000  # characters
    # What a page has room for below its own bound.
    shown_citations_max_length: int = 1_900  # characters of all citation formats, as HTML
    # What an error message may quote from hostile input.
    found_max_length: int = 160  # characters
    # Data compressed better than this is a bomb: real bundles reach 30 in zstd archives.
    expansion_max_ratio: int = 250  # decompressed bytes per compressed byte
    # Below this a high ratio is harmless, and small files do reach it.
    expansion_free_length: int = 16 * _MIB  # bytes
    # zstd frames may ask for a window of 2 GiB; 128 MiB is what its command line accepts.
    zstd_max_window: int = 128 * _MIB  # bytes
    # A tar header block, pax records included; a longer one only costs memory.
    tar_header_max_length: int = _MIB  # bytes
    # zipfile holds the directory of an archive in memory, about 0.5 kB a member.
    zip_members_max_count: int = 200_000  # members
    # A statement, a reason or an answer in an event: some pages of prose, not a paper.
    event_text_max_length: int = 10_000  # characters
    # Real proofs by five calendars stay below 4 kB; each further calendar adds a few hundred bytes.
    timestamp_proof_max_length: int = 64 * _KIB  # bytes
    # Every operation makes a message of up to 4 KiB, for as little as one byte of the proof; real
    # proofs are read in fewer than 200 pieces.
    timestamp_proof_pieces_max_count: int = 2_048  # reads of the proof's parser
    # One or two for each calendar; real proofs have up to five.
    timestamp_attestations_max_count: int = 64  # attestations in one proof
    # Bitcoin itself reads a lock time from 500,000,000 on as seconds and not as a height.
    block_height_max: int = 499_999_999
    # The blocks that a mirror's proofs name, not the chain: about two years if it were every one.
    block_headers_max_count: int = 100_000  # headers
    # That many lines of at most 171 characters, and as much again in comments.
    block_headers_max_length: int = 32 * _MIB  # bytes
    # What a page shows of lists that grow with the bundle; the rest is in the JSON files.
    shown_checks_max_count: int = 200  # rows of a table
    shown_events_max_count: int = 200  # rows of a table
    shown_statements_max_count: int = 50  # statements of one kind
    shown_statement_lines_max_count: int = 12  # values of one statement
    shown_statement_max_length: int = 2_000  # characters of a signer's words
    shown_name_max_length: int = 200  # characters
    shown_links_max_count: int = 100  # incoming links of a record, and as many outgoing ones
    # A long bibliography has a few hundred entries; reviews have reached some thousands.
    record_links_max_count: int = 10_000  # outgoing links of one record
    # A picture is to be taken in at a glance; the lists beside it hold all.
    drawn_neighbours_max_count: int = 6  # on each side of the record
    # What a reader of a feed has not seen for some days; the archives hold the rest.
    feed_entries_max_count: int = 100  # records changed last
    # A full archive page is some 500 kB, and three million records make 12,000 of them.
    feed_archive_length: int = 250  # records in an archive page
    feed_authors_max_count: int = 100  # authors of one entry
    feed_abstract_max_length: int = 1_000  # characters
    # sitemaps.org, "Sitemap file requirements"; Google and Bing hold to the same.
    sitemap_urls_max_count: int = 50_000  # addresses in one sitemap, and sitemaps in the index
    sitemap_max_length: int = 50 * _MIB  # bytes, before compression
    # OAI static repositories, chapter 1: for small collections; a gateway keeps the whole file.
    oai_records_max_count: int = 5_000  # records
    # Rows that are in memory at once, and the least that a reader of one column fetches.
    parquet_group_length: int = 2_500  # records in a row group
    # A few hundred words, which load while a reader types.
    search_shard_max_length: int = 64 * _KIB  # bytes of a file of words
    search_table_max_length: int = 64 * _KIB  # bytes of a table that names them
    search_block_length: int = 250  # records in a file of rows, some 60 kB
    search_word_max_length: int = (
        40  # characters; longer words are rare and found by their beginning
    )
    # Names of files have 255 bytes at most; so many records with one such beginning are a jest.
    search_key_max_length: int = 60  # characters that tell a file of words from others
    # A word of more tells records apart no longer; the newest are enough to show.
    search_postings_max_count: int = 20_000  # places of one word that are told in full
    search_common_postings_count: int = 2_000  # of one that has more, in each field
    # Pagefind holds the whole index in memory: 170 MB at so many, 770 MB at 10,000. No process of a
    # build is to need more than 200 MB.
    full_text_max_count: int = 2_000  # records
    # Beyond it the one process that catalogues is what the others wait for.
    jobs_max_count: int = 64  # worker processes
    # GitHub Pages, by its own documentation ("GitHub Pages limits"); the month is a soft limit.
    pages_site_max_length: int = 10**9  # bytes
    pages_month_max_length: int = 100 * 10**9  # bytes
    pages_deploy_max_time: int = 600  # seconds
    configuration_max_length: int = _MIB  # bytes
    # A document of some 1.5 MB; a changed record makes one such file of three million new.
    manifest_part_max_count: int = 8_192  # files that one document of the manifest lists
    # What `pith-mirror plan` builds in memory for a measure: 200 records take half a second.
    sample_max_count: int = 200  # bundles
    sample_max_length: int = 32 * _MIB  # bytes of bundles
    distinct_kept_count: int = 4_096  # digests, by which more values than these are counted
    counted_listings_max_count: int = 100_000  # listings of one kind that are counted one by one
    # A line of manifest.json: a path of at most 300 characters and fixed fields.
    manifest_line_max_length: int = 4 * _KIB  # bytes
    # Beyond it the whole site is compared with what a build makes; in parts it would take longer.
    damaged_max_count: int = 1_000  # files of a site that do not look as they were left
    # A few digests and a note; a longer one is not ours.
    state_seal_max_length: int = 4 * _KIB  # bytes
    # Windows has 260 for a whole path unless it is told otherwise.
    portable_path_max_length: int = 240  # characters
    # A path of a site is shown whole; others may have any length.
    shown_path_max_length: int = 1_000  # characters
    # The deepest folder of a site is below ten; hostile ones would use up open files.
    site_depth_max: int = 64  # levels of folders


DEFAULT_LIMITS = Limits()


def shorten(text: str, *, limit: int = DEFAULT_LIMITS.found_max_length) -> str:
    """Quote hostile text in a message: printable, on one line, bounded.

    Args:
        text: any text.
        limit: characters kept before the cut.

    Returns:
        The text with control and format characters escaped, cut with the number of characters left.
    """
    # Escape first a bounded piece only: a 1 MB title must not cost 1 MB of work per message.
    piece = text[:limit]
    if not piece.isprintable():
        piece = "".join(c if c.isprintable() else _escaped(c) for c in piece)
    return piece if len(text) <= limit else f"{piece}… ({len(text) - limit} more characters)"


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"

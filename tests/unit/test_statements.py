"""What a record page says of events: statements, standings, chips, completeness, cut tables."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from generator.completeness import completeness_rows, status_chips
from generator.config import Configuration, Upstream
from generator.describe import describe_record
from generator.documents import resolver_json
from generator.event_table import event_table, shown_checks
from generator.formats.checks import Check, Outcome
from generator.limits import DEFAULT_LIMITS
from generator.pages import (
    EventMention,
    HowKnown,
    RecordPage,
    Statement,
    StatementGroup,
    StatementLine,
)
from generator.statements import describe_statements, record_withdrawals
from tests.statement_bundles import (
    UNPINNED,
    bundle,
    citation,
    every_kind,
    headers_of,
    known,
    mirror,
    numbered,
    path_of,
    proof_payload,
    say,
)
from tests.timestamps import generate as timestamps
from tests.vectors.builders import (
    AUTHOR,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    Json,
    SigningKey,
    edited,
    event_of,
    record_of,
    sealed,
)
from tests.vectors.cases_integrity import integrity_event, payload_of

COPY = {
    "store": "internet-archive",
    "url": "https://web.archive.example/1",
    "sha256": "0123456789abcdef" * 4,
    "stored_at": "2026-05-18T00:00:00Z",
}
ORCID = {"method": "orcid", "author_name": "Ada Q. Testova", "orcid": "0000-0002-1825-0097"}
CALENDAR = timestamps.append(b"n") + timestamps.pending("https://alice.example/b")


def groups(*events: Json, configuration: Configuration | None = None) -> dict[str, StatementGroup]:
    """Describe the statements of a bundle with these events, by the group's anchor."""
    record = known(bundle(*events), configuration)
    found = describe_statements(record, event_table(record))
    return {group.anchor: group for group in found}


def only(anchor: str, *events: Json, configuration: Configuration | None = None) -> Statement:
    """Describe a bundle in which one statement is made."""
    found = groups(*events, configuration=configuration)
    assert list(found) == [anchor]
    (statement,) = found[anchor].statements
    return statement


def values(statement: Statement) -> dict[str, str]:
    """Give the values of a statement by their label."""
    return {line.label: line.text for line in statement.lines}


def line(statement: Statement, label: str) -> StatementLine:
    """Give one value of a statement."""
    return next(line for line in statement.lines if line.label == label)


def page_of(value: Json, configuration: Configuration | None = None) -> RecordPage:
    """Describe the page of a bundle."""
    configuration = configuration or mirror()
    return describe_record(known(value, configuration), configuration=configuration)


def test_bundle_without_statements_has_no_groups() -> None:
    """The creation and the snapshot are the page itself; nothing else is said."""
    assert groups() == {}


def test_statement_names_signer_key_time_and_standing() -> None:
    """Beside each statement stands who signed it, with which key, when, and what it counts for."""
    statement = only("storage", say("storage_attested", COPY, key=OPERATOR))
    assert statement.signed == "mirror.test, key test-operator, 2026-05-18T10:00:00Z"
    assert statement.standing == "part of the state"
    assert statement.known is HowKnown.REPORTED
    assert statement.counts
    assert statement.event == EventMention("event 3, stored copy", "event-3", "event 3")


def test_stored_copy_is_reported_and_not_checkable() -> None:
    """A stored copy names store, link, digest and time, and that nobody here can look."""
    statement = only("storage", say("storage_attested", COPY, key=OPERATOR))
    assert statement.heading == "Copy in internet-archive"
    assert line(statement, "address").href == COPY["url"]
    assert line(statement, "SHA-256 of the copy").text == COPY["sha256"]
    assert line(statement, "stored at").text == COPY["stored_at"]
    assert line(statement, "check").outcome == "not checkable"
    assert "verified" not in {item.outcome for item in statement.lines}


def test_pending_timestamp_shows_its_calendar_as_text() -> None:
    """A calendar is a stranger's text: it is shown and never becomes a link."""
    statement = only("timestamps", say("timestamp_anchored", proof_payload(CALENDAR)))
    assert values(statement) == {"pending at": "https://alice.example/b"}
    assert [item.href for item in statement.lines] == [""]


def test_block_without_header_is_not_checkable_here() -> None:
    """Without the block's header the page names the header that is needed, and no check mark."""
    payload = proof_payload(path_of() + timestamps.bitcoin(250))
    statement = only("timestamps", say("timestamp_anchored", payload))
    block = line(statement, "Bitcoin block 250")
    assert (block.outcome, block.text) == ("not checkable", "here: needs block header 250")


def test_block_with_header_is_verified_with_its_time() -> None:
    """Against the header the attestation is verified, and the block's time is given."""
    configuration = mirror(headers=headers_of(100))
    payload = proof_payload(path_of() + timestamps.bitcoin(100))
    event = say("timestamp_anchored", payload)
    statement = only("timestamps", event, configuration=configuration)
    block = line(statement, "Bitcoin block 100")
    assert block.outcome == "verified"
    assert block.text.startswith("block time 2023-11-14T22:13:20Z; ")


def test_block_with_another_root_failed() -> None:
    """A header with another merkle root makes the attestation fail, with both roots."""
    configuration = mirror(headers=headers_of(100))
    tree = timestamps.append(b"another") + timestamps.SHA256 + timestamps.bitcoin(100)
    event = say("timestamp_anchored", proof_payload(tree))
    block = line(only("timestamps", event, configuration=configuration), "Bitcoin block 100")
    assert block.outcome == "failed"
    assert block.text.startswith("expected merkle root ")


def test_attestation_of_an_unknown_kind_is_named() -> None:
    """What a later version may understand is not passed over in silence."""
    tree = timestamps.attestation(timestamps.STRANGE, b"x")
    statement = only("timestamps", say("timestamp_anchored", proof_payload(tree)))
    assert values(statement) == {
        "other attestation": "of kind 0102030405060708, which is not checked here"
    }


def test_long_proof_is_cut_on_the_page() -> None:
    """Of many attestations the page shows the first ones and says how many more there are."""
    limit = DEFAULT_LIMITS.shown_statement_lines_max_count
    leaves = [timestamps.pending(f"https://c{number:02}.example") for number in range(limit + 3)]
    tree = b"".join(timestamps.FORK + leaf for leaf in leaves[:-1]) + leaves[-1]
    statement = only("timestamps", say("timestamp_anchored", proof_payload(tree)))
    assert len(statement.lines) == limit + 1
    assert statement.lines[-1].text == "3 further attestations"


def test_timestamp_that_does_not_count_is_not_looked_at() -> None:
    """The proof of a withdrawn timestamp is not shown as if it proved something."""
    event = say("timestamp_anchored", proof_payload(path_of() + timestamps.bitcoin(100)))
    taken = say("withdrawal", {"about": event["event_id"], "reason": "Wrong."}, day=19)
    found = groups(event, taken, configuration=mirror(headers=headers_of(100)))
    (statement,) = found["timestamps"].statements
    assert values(statement) == {"proof": "not looked at: the event does not count"}
    assert statement.taken_back


def test_orcid_claim_links_to_orcid() -> None:
    """An ORCID iD is shown as such and leads to orcid.org."""
    statement = only("author-claims", say("author_claim", {**ORCID, "strength": "strong"}))
    assert statement.heading == "Ada Q. Testova"
    identity = line(statement, "ORCID iD")
    assert identity.text == "0000-0002-1825-0097"
    assert identity.href == "https://orcid.org/0000-0002-1825-0097"
    assert line(statement, "strength").text == "strong"


def test_key_claim_shows_the_fingerprint() -> None:
    """A claim by key shows the fingerprint to compare and leads nowhere."""
    payload = {
        "method": "key",
        "strength": "strong",
        "author_name": "Ada Q. Testova",
        "public_key_fingerprint": AUTHOR.fingerprint,
    }
    identity = line(
        only("author-claims", say("author_claim", payload, key=AUTHOR)), "key fingerprint"
    )
    assert (identity.text, identity.href, identity.exact) == (AUTHOR.fingerprint, "", True)


def test_attestation_shows_the_authors_words() -> None:
    """A name and a statement are decoded for people and otherwise left alone."""
    payload = {"author_name": "Herv\\'e Exemplaire", "statement": "I wrote <i>this</i>."}
    statement = only("attestations", say("author_attestation", payload, key=AUTHOR))
    assert (statement.heading, statement.quote) == ("Hervé Exemplaire", "I wrote <i>this</i>.")


def test_replication_shows_kind_outcome_and_report() -> None:
    """A replication says what was tried, how it ended, in which system, and where the report is."""
    payload = {
        "kind": "formal_bridge",
        "outcome": "partial",
        "url": "https://lab.example/1",
        "system": "Lean 4.9",
        "note": "Lemma 2 only.",
    }
    statement = only("replications", say("replication", payload, key=OPERATOR))
    assert statement.heading == "formal bridge: partial"
    assert statement.quote == "Lemma 2 only."
    assert line(statement, "report").href == "https://lab.example/1"
    assert line(statement, "system").text == "Lean 4.9"


def test_finding_shows_severity_class_and_note() -> None:
    """An integrity finding says what was found, how severe and how sure, by which detector."""
    statement = only("integrity", integrity_event(payload_of()))
    assert statement.heading == "recoverable identifier"
    assert statement.quote.startswith("DOI in the printed bibliography")
    found = values(statement)
    assert found["severity"] == "advisory"
    assert found["verdict class"] == "incontrovertible"
    assert found["detector"] == "doi_compliance 1.0.0"
    assert line(statement, "detected DOI").href == "https://doi.org/10.1000/182"
    assert statement.signed == "key test-registry, 2026-05-19T23:15:25.767223Z"


def test_rescinded_finding_is_marked() -> None:
    """A finding that its detector took back is marked, and the one that takes it back says so."""
    later = payload_of(verdict_class="rescinded", audited_at="2026-05-21T00:00:00Z")
    found = groups(integrity_event(payload_of()), integrity_event(later))
    first, second = found["integrity"].statements
    assert (first.standing, first.taken_back) == ("taken back by its detector", True)
    assert second.heading == "taken back: recoverable identifier"
    assert second.counts


@pytest.mark.parametrize(
    ("url", "href"),
    [
        ("https://checks.example/1", "https://checks.example/1"),
        ("javascript:alert(1)", ""),
        ("https://checks.example/ a", ""),
        ("//checks.example/1", ""),
        (None, None),
        (["https://checks.example/1"], None),
    ],
)
def test_finding_links_only_to_the_web(url: Json, href: str | None) -> None:
    """An address in a finding is a link only if it is http(s); what is no text is left out."""
    statement = only("integrity", integrity_event(payload_of(external_url=url)))
    found = [item.href for item in statement.lines if item.label == "see"]
    assert found == ([] if href is None else [href])


def test_challenge_holds_its_answers() -> None:
    """A response stands below the challenge that it answers."""
    challenge = say("challenge", {"about": "record", "reason": "Lemma 2 fails."})
    answer = say("response", {"challenge": challenge["event_id"], "text": "No."}, day=19)
    statement = only("challenges", challenge, answer)
    assert statement.quote == "Lemma 2 fails."
    assert values(statement) == {"about": "the record"}
    assert [item.quote for item in statement.answers] == ["No."]
    about = statement.answers[0].lines[0]
    assert (about.text, about.href) == ("event 3, challenge", "#event-3")


def test_answer_to_a_withdrawn_challenge_stands_alone() -> None:
    """A response whose challenge does not count is not lost."""
    challenge = say("challenge", {"about": "record", "reason": "Lemma 2 fails."})
    taken = say("withdrawal", {"about": challenge["event_id"], "reason": "It holds."}, day=20)
    answer = say("response", {"challenge": challenge["event_id"], "text": "No."}, day=19)
    found = groups(challenge, answer, taken)
    assert list(found) == ["withdrawals", "challenges", "responses"]
    assert found["challenges"].statements[0].taken_back
    assert [item.quote for item in found["responses"].statements] == ["No."]


def test_event_that_is_not_in_the_bundle_is_named_by_its_id() -> None:
    """A statement about an event that is not here names it and leads nowhere."""
    missing = f"sha256:{'ab' * 32}"
    statement = only("corrections", say("correction", {"about": missing, "text": "Read 5."}))
    about = line(statement, "about")
    assert (about.text, about.href) == (f"{missing}, which is not in this bundle", "")


def test_withdrawal_of_the_record_is_a_banner() -> None:
    """A withdrawal of the record stands near the top, as its signer's word, and in the chips."""
    event = say("withdrawal", {"about": "record", "reason": "The proof is wrong."})
    page = page_of(bundle(event))
    (banner,) = page.withdrawals
    assert (banner.quote, banner.known) == ("The proof is wrong.", HowKnown.REPORTED)
    assert [chip.text for chip in page.chips if chip.alarm] == ["withdrawn"]
    assert page_of(bundle()).withdrawals == ()


def test_withdrawal_of_an_event_is_no_banner() -> None:
    """Only a withdrawal of the record itself is told at the top."""
    event = say("correction", {"about": "record", "text": "Read 5."})
    taken = say("withdrawal", {"about": event["event_id"], "reason": "Wrong."}, day=19)
    page = page_of(bundle(event, taken))
    assert page.withdrawals == ()
    (statement,) = page.statements[1].statements
    assert (statement.standing, statement.taken_back) == ("withdrawn by its signer", True)


def test_carried_withdrawal_says_nothing() -> None:
    """What nobody here can check is no banner and no statement: anyone can write it."""
    event = say("withdrawal", {"about": "record", "reason": "Because."}, key=UNPINNED)
    page = page_of(bundle(event))
    assert (page.withdrawals, page.statements) == ((), ())


def test_accepted_event_is_carried_and_says_so() -> None:
    """An event that the operator accepts unchecked is shown as carried, not as reported."""
    event = say("correction", {"about": "record", "text": "Read 5."}, key=UNPINNED)
    statement = only("corrections", event, configuration=mirror(accept=True))
    assert statement.known is HowKnown.CARRIED
    assert statement.standing == "accepted by this mirror’s operator, unverified"


def test_added_name_links_a_doi() -> None:
    """An added DOI leads to the web's resolver of DOIs; another name leads nowhere."""
    doi = say("alias_added", {"alias_kind": "doi", "alias_value": '10.1000/1"8<2'})
    other = say("alias_added", {"alias_kind": "isbn", "alias_value": "978-1"}, day=19)
    first, second = groups(doi, other)["added-names"].statements
    assert line(first, "address").href == "https://doi.org/10.1000/1%228%3C2"
    assert (second.heading, second.lines) == ("isbn: 978-1", ())


def test_announced_key_changes_no_trust() -> None:
    """A rotation shows the next key, its fingerprint and times, and that nothing follows here."""
    following = SigningKey("test-next")
    payload = {
        "key_id": "test-next",
        "algorithm": "ed25519",
        "public_key_b64": base64.b64encode(following.public).decode(),
        "valid_from": "2026-06-01T00:00:00Z",
        "retires_at": "2026-07-01T00:00:00Z",
    }
    statement = only("announced-keys", say("key_rotation", payload))
    assert statement.heading == "next key: test-next"
    assert values(statement) == {
        "fingerprint": following.fingerprint,
        "counts from": "2026-06-01T00:00:00Z",
        "old key ends": "2026-07-01T00:00:00Z",
    }
    assert statement.standing == "announced, changes no trust here"


def test_unknown_kind_is_named_and_not_understood() -> None:
    """An event of an unknown kind is listed by its name; its payload stays in JSON."""
    statement = only("other-events", say("peer_review", {"score": "<b>3</b>"}))
    assert statement.heading == "peer_review"
    assert statement.quote == ""
    assert values(statement) == {"target": "record"}
    assert statement.standing == "of a kind not known here"


def test_waiting_event_says_how_many_signers_it_has() -> None:
    """An event below its threshold says how many signers stand behind it, and of how many."""
    claim = say("alias_added", {"alias_kind": "isbn", "alias_value": "978-1"})
    support = say("endorsement", {"endorses": claim["event_id"]}, key=OPERATOR)
    again = say("endorsement", {"endorses": claim["event_id"]}, key=OPERATOR, day=19)
    found = groups(claim, support, again, configuration=mirror(thresholds="alias_added = 3"))
    (statement,) = found["added-names"].statements
    assert statement.standing == "waits for signers: 2 of 3"
    assert not statement.counts
    assert not statement.taken_back


def test_equivocation_lists_both_events() -> None:
    """Two events that cannot both be meant are listed with place and identity, and none counts."""
    events = [
        say("correction", {"about": "record", "text": text}, key=OPERATOR) for text in ("1", "2")
    ]
    page = page_of(bundle(*events))
    (row,) = page.equivocations
    assert "mirror.test signed 2 different correction events" in row.text
    assert {identity for _, identity in row.events} == {event["event_id"] for event in events}
    assert {mention.anchor for mention, _ in row.events} == {"event-3", "event-4"}
    standings = {item.standing for item in page.statements[0].statements}
    assert standings == {"contradicted by another event of its signer"}


def test_counting_citation_is_not_said_twice() -> None:
    """A citation that makes a link stands in the citation list; one that makes none is said."""
    link = say("citation", citation(OTHER))
    taken = say("citation", citation(numbered(1)), key=AUTHOR, day=19)
    gone = say("withdrawal", {"about": taken["event_id"], "reason": "Wrong."}, key=AUTHOR, day=20)
    page = page_of(bundle(link, taken, gone))
    said = {group.anchor: group for group in page.statements}
    (statement,) = said["citation-events"].statements
    assert statement.heading.startswith("extends pith:2024:")
    assert [row.relation for row in page.citations.cites.rows] == ["extends"]


def test_invisible_characters_of_a_signer_are_made_visible() -> None:
    """A text that reorders or hides is shown for what it is."""
    payload = {"about": "record", "text": "abc\u202edef\u200b"}
    statement = only("corrections", say("correction", payload))
    assert statement.quote == "abc⟨U+202E⟩def⟨U+200B⟩"


def test_long_words_are_cut_with_a_count() -> None:
    """The longest text a signer may write does not fill the page."""
    payload = {"about": "record", "text": "x" * DEFAULT_LIMITS.event_text_max_length}
    statement = only("corrections", say("correction", payload))
    assert len(statement.quote) < DEFAULT_LIMITS.shown_statement_max_length + 40
    assert statement.quote.endswith("(10000 characters in all)")


def test_many_statements_are_cut_to_the_newest() -> None:
    """Of one kind the newest statements are shown, and the page says how many are not."""
    limit = DEFAULT_LIMITS.shown_statements_max_count
    events = [
        edited(
            say("correction", {"about": "record", "text": f"number {number}"}),
            ("created_at", f"2026-05-18T10:{number:02}:00Z"),
        )
        for number in range(limit + 5)
    ]
    group = groups(*(sealed(event) for event in events))["corrections"]
    assert group.left_out == 5
    assert [s.quote for s in group.statements] == [f"number {n}" for n in range(5, limit + 5)]


def test_cut_table_keeps_verified_events() -> None:
    """A thousand unsigned events do not push a verified one off the page."""
    record = record_of(PAPER)
    noise = [event_of(record, f"noise-{number}", {}) for number in range(1_000)]
    late = say("correction", {"about": "record", "text": "Read 5."}, day=30)
    table = event_table(known(bundle(*noise, late)))
    assert len(table.rows) == DEFAULT_LIMITS.shown_events_max_count
    assert table.left_out == 1_003 - len(table.rows)
    assert [row.number for row in table.rows] == sorted(row.number for row in table.rows)
    assert table.rows[-1].event_type == "correction"
    assert table.mention(late["event_id"]).anchor == "event-1003"
    hidden = sum(1 for mention in table.mentions.values() if not mention.anchor)
    assert hidden == table.left_out


def test_cut_table_keeps_checks_of_admission_and_failures() -> None:
    """The checks that admit a record and those that failed come before what nobody could check."""
    rows = [_check("V8", Outcome.NOT_CHECKABLE)] * 500
    rows += [_check("V8", Outcome.FAILED), _check("V1", Outcome.VERIFIED)]
    shown = shown_checks(rows)
    assert len(shown) == DEFAULT_LIMITS.shown_checks_max_count
    assert shown[-2:] == tuple(rows[-2:])


def _check(step: str, outcome: Outcome) -> Check:
    return Check(step, "event", "events[0]", outcome, "", "")


def test_page_counts_all_checks() -> None:
    """The counts of checks are of all of them, whatever part of them is shown."""
    noise = [event_of(record_of(PAPER), f"noise-{number}", {}) for number in range(300)]
    page = page_of(bundle(*noise))
    assert dict(page.check_counts)["not checkable"] == 300
    shown = len(page.checks)
    assert shown + page.checks_left_out == sum(number for _, number in page.check_counts)
    assert page.events_left_out == 302 - len(page.events)


def test_chips_follow_the_events() -> None:
    """Chips are positive only for what is there and was checked."""
    texts = {
        "plain": known(bundle()),
        "copy": known(bundle(say("storage_attested", COPY, key=OPERATOR))),
        "pending": known(bundle(say("timestamp_anchored", proof_payload(CALENDAR)))),
        "doubt": known(bundle(say("challenge", {"about": "record", "reason": "No."}))),
    }
    found = {
        name: [chip.text for chip in status_chips(record, withdrawn=False)]
        for name, record in texts.items()
    }
    plain = ["not attested", "not anchored", "not stored", "refs pending"]
    assert found["plain"] == plain
    assert found["copy"] == [*plain[:2], "copy reported", plain[3]]
    assert found["pending"] == [plain[0], "anchor not checked", *plain[2:]]
    assert found["doubt"] == [*plain, "challenged"]


def test_header_anchors_a_record() -> None:
    """With the block's header the chip, the completeness row and the resolver say anchored."""
    configuration = mirror(headers=headers_of(100))
    event = say("timestamp_anchored", proof_payload(path_of() + timestamps.bitcoin(100)))
    record = known(bundle(event), configuration)
    page = describe_record(record, configuration=configuration)
    assert [chip.text for chip in page.chips if chip.positive] == ["anchored"]
    assert page.completeness[0].status == "in a Bitcoin block of 2023-11-14T22:13:20Z"
    status = resolver_json(record)["verification_status"]
    assert isinstance(status, dict)
    assert status["externally_anchored"] is True


@pytest.mark.parametrize(
    ("tree", "status"),
    [
        (path_of() + timestamps.bitcoin(250), "not checkable here: needs block header 250"),
        (CALENDAR, "waiting for a Bitcoin block"),
        (timestamps.attestation(timestamps.STRANGE, b"x"), "of a kind that is not checked here"),
    ],
)
def test_unproven_timestamp_says_what_is_missing(tree: bytes, status: str) -> None:
    """A proof that proves nothing here says why, and the record is not called anchored."""
    page = page_of(bundle(say("timestamp_anchored", proof_payload(tree))))
    assert (page.completeness[0].status, page.completeness[0].section) == (status, "timestamps")
    assert [chip.text for chip in page.chips if chip.positive] == []


def test_completeness_counts_verified_events_and_tells_of_others() -> None:
    """Carried and waiting events are told beside the count, and are not in it."""
    configuration = replace(
        mirror(thresholds="replication = 2"),
        upstreams=(Upstream("registry.test", "https://registry.test/"),),
    )
    result = {"kind": "replication", "outcome": "confirmed", "url": "https://lab.example/1"}
    record = known(
        bundle(
            say("citation", citation(OTHER)),
            say("citation", citation(numbered(1)), key=UNPINNED),
            say("replication", result),
            say("storage_attested", COPY, key=OPERATOR),
        ),
        configuration,
    )
    statements = describe_statements(record, event_table(record))
    rows = completeness_rows(record, configuration, statements)
    assert [row.status for row in rows] == [
        "no proof that counts in the bundle",
        "1 copy reported (internet-archive), not checkable offline",
        "open",
        "1, and 1 carried unchecked",
        "open, and 1 waiting for signers",
    ]
    assert [row.section for row in rows] == ["", "storage", "", "cites", "replications"]
    assert rows[2].link is not None


def test_record_withdrawals_are_bounded() -> None:
    """However often a record is withdrawn, the page stays a page."""
    events = [
        say("withdrawal", {"about": "record", "reason": f"{day}"}, day=day) for day in range(1, 31)
    ]
    record = known(bundle(*events, *(say_at(minute) for minute in range(60))))
    assert len(record_withdrawals(record, event_table(record))) == 50


def say_at(minute: int) -> Json:
    """Withdraw the record at a minute of an hour."""
    event = say("withdrawal", {"about": "record", "reason": f"{minute}"}, key=REGISTRY)
    return sealed(edited(event, ("created_at", f"2026-05-18T11:{minute:02}:00Z")))


def test_every_kind_finds_its_group() -> None:
    """In a bundle with each kind of event nothing that is in the state is passed over."""
    record = known(every_kind())
    page = describe_record(record, configuration=mirror())
    said = {
        item.event.text
        for group in page.statements
        for statement in group.statements
        for item in (statement, *statement.answers)
    }
    linked = {row.event.text for row in page.citations.cites.rows if row.event is not None}
    silent = {"record_created", "graph_snapshot"}
    expected = {
        event_table(record).mention(event.identity).text
        for event in record.state.admitted
        if event.event_type not in silent
    }
    assert expected == {text for text in said | linked if "snapshot" not in text}

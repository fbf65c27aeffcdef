"""One record in several files: united, in any order and number, and nobody can spoil it."""

from __future__ import annotations

import json
import time
from itertools import combinations, permutations
from pathlib import Path

import pytest

from generator.formats.bundle import unite_bundles
from generator.formats.checks import Verdict
from tests.factories import LATER, build, built, put, suffix_of, tree, verified
from tests.vectors.builders import (
    OTHER,
    PAPER,
    Json,
    bundle_of,
    bundle_with,
    compact,
    creation_of,
    event_of,
    receipt_of,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
)

RECORD = record_of(PAPER)
SUFFIX = suffix_of()
SNAPSHOT = signed(snapshot_event(RECORD, snapshot_of(PAPER)))
NOTES = [signed(event_of(RECORD, "note", {"n": n}, target=f"t{n}")) for n in range(3)]
BESIDE = compact(bundle_of(OTHER))
# Files that speak of the build as a whole or list records, not of one record.
LISTING = ("report", "stats", "index.html", "browse/", "manifest.json", "pith-mirrors.json")


def bundle(*events: Json) -> bytes:
    """A bundle of the record: its creation and the given events."""
    return compact(bundle_with(RECORD, [creation_of(RECORD), *events]))


def files_of(parts: list[bytes]) -> dict[str, bytes]:
    """Name bundles by their place."""
    return {f"{number}.json": data for number, data in enumerate(parts)}


def served(site: dict[str, bytes]) -> bytes:
    """Give the bundle that a site serves, the same at both paths."""
    data = site[f"pith/{SUFFIX}/bundle.json"]
    assert site[f".well-known/pith/{SUFFIX}/bundle.json"] == data
    return data


def of_record(site: dict[str, bytes], suffix: str = SUFFIX) -> dict[str, bytes]:
    """Give the files of one record."""
    return {path: data for path, data in site.items() if suffix in path}


def state(site: dict[str, bytes]) -> Json:
    """Give the merged state of the record."""
    return json.loads(site[f"pith/{SUFFIX}/state.json"])


def test_same_bytes_twice_are_served_once(tmp_path: Path) -> None:
    """Two files with the same bytes give the site of one."""
    one = built(tmp_path / "one", files_of([bundle(SNAPSHOT)]))
    two = built(tmp_path / "two", files_of([bundle(SNAPSHOT)] * 2))
    assert of_record(one) == of_record(two)
    assert served(two) == bundle(SNAPSHOT)
    assert [row["verdict"] for row in json.loads(two["report.json"])["bundles"]] == ["verified"] * 2


@pytest.mark.parametrize("turned", [False, True])
def test_superset_is_served_byte_for_byte(turned: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Where one bundle holds every event of the other, its own bytes are served."""
    whole = json.dumps(json.loads(bundle(SNAPSHOT, *NOTES)), indent=1).encode()
    parts = [bundle(NOTES[0]), whole]
    site = built(tmp_path, files_of(parts[::-1] if turned else parts))
    assert served(site) == whole
    assert state(site)["event_count"] == 5


def test_union_of_bundles_that_each_know_more(tmp_path: Path) -> None:
    """Where neither holds all, the union is served, and the state has every event."""
    parts = [bundle(SNAPSHOT, NOTES[0]), bundle(NOTES[1])]
    site = built(tmp_path, files_of(parts))
    assert served(site) == unite_bundles(verified(part).bundle for part in parts)
    assert state(site)["event_count"] == 4
    assert state(site)["valid_event_count"] == 4


def test_order_and_number_of_files_change_nothing(tmp_path: Path) -> None:
    """Three bundles in all orders, with copies, in one file or in three, give the same files."""
    parts = [bundle(SNAPSHOT, NOTES[0]), bundle(NOTES[1]), bundle(NOTES[0], NOTES[2])]
    found = []
    for number, order in enumerate(permutations(parts)):
        listed = [*order, *order[:number]]
        files = files_of(listed) if number % 2 else {"all.ndjson": b"\n".join(listed)}
        found.append(of_record(built(tmp_path / f"{number}", {**files, "z.json": BESIDE})))
    assert all(site == found[0] for site in found)
    united = compact(json.loads(found[0][f"pith/{SUFFIX}/bundle.json"]))
    again = built(tmp_path / "union", {"u.json": united})
    assert of_record(again) == found[0]


def test_union_with_any_part_is_the_union(tmp_path: Path) -> None:
    """A mirror's union beside the parts it was made of changes no byte."""
    parts = [bundle(SNAPSHOT), bundle(NOTES[1]), bundle(NOTES[2])]
    united = unite_bundles(verified(part).bundle for part in parts)
    for count in range(len(parts) + 1):
        for number, chosen in enumerate(combinations(parts, count)):
            folder = tmp_path / f"{count}-{number}"
            assert served(built(folder, files_of([*chosen, united]))) == united


def test_reported_times_are_decided_alike(tmp_path: Path) -> None:
    """Receipts with different reported times: the same one wins whatever came first."""
    late = creation_of(RECORD, receipt=receipt_of(RECORD, signed_at=LATER))
    parts = [compact(bundle_with(RECORD, [late, NOTES[0]])), bundle(NOTES[1])]
    sites = [of_record(built(tmp_path / str(turn), files_of(parts[::turn]))) for turn in (1, -1)]
    assert sites[0] == sites[1]
    assert state({**sites[0]})["invalid_event_count"] == 0


def rejected_copies() -> dict[str, bytes]:
    """Bundles that claim the record and are rejected, each for another reason."""
    good = bundle_of()
    stolen = {**bundle_of(OTHER), "pith_number": good["pith_number"]}
    altered = json.loads(compact(good))
    altered["canonical_record"]["metadata"]["license"] = ""
    forged = json.loads(compact(good))
    receipt = forged["events"][0]["payload"]["receipt"]
    receipt["signature_b64"] = receipt_of(record_of(OTHER))["signature_b64"]
    return {
        "stolen-number": compact(stolen),
        "altered-record": compact(altered),
        "forged-receipt": compact(forged),
        "no-creation": compact({**good, "events": [SNAPSHOT]}),
        "cut": compact(good)[:900],
        "other-short-form": compact({**good, "short_pith_number": "pith:AAAAAAAA"}),
    }


@pytest.mark.parametrize("name", list(rejected_copies()))
@pytest.mark.parametrize("place", ["0-first", "z-last"])
def test_rejected_copy_is_reported_and_changes_nothing(
    name: str, place: str, tmp_path: Path
) -> None:
    """A rejected bundle of a published record, before or after it, changes no published page."""
    good = {"m.json": compact(bundle_of()), "n.json": BESIDE}
    alone = built(tmp_path / "alone", good)
    beside = built(tmp_path / "beside", {**good, f"{place}.json": rejected_copies()[name]})
    extra = {path for path in beside.keys() - alone.keys() if not path.endswith("/badge.svg")}
    assert extra == set()
    changed = {path for path in alone if alone[path] != beside[path]}
    assert {path for path in changed if not path.startswith(LISTING)} == set()
    rows = json.loads(beside["report.json"])["bundles"]
    (row,) = [row for row in rows if row["origin"].startswith(place)]
    assert row["verdict"] == Verdict.REJECTED.value
    assert row["failed"]
    assert f"{place}.json" in beside["report/index.html"].decode()


def test_junk_in_a_copy_cannot_unpublish_a_record(tmp_path: Path) -> None:
    """Copies whose union is over a bound do not stop the build; a genuine part is served."""
    junk = [
        [event_of(RECORD, "junk", {"n": n + 10_000 * part}) for n in range(6000)] for part in (0, 1)
    ]
    parts = [bundle(SNAPSHOT), bundle(*junk[0]), bundle(*junk[1])]
    found = {
        served(built(tmp_path / f"{number}", files_of(list(order))))
        for number, order in enumerate((parts, parts[::-1]))
    }
    assert found == {bundle(SNAPSHOT)}


def test_disputed_copy_does_not_hide_the_good_events(tmp_path: Path) -> None:
    """A copy with a forged event changes nothing of the record; only the report tells of it."""
    forged = {**NOTES[0], "payload": {"n": "forged"}}
    site = built(tmp_path, files_of([bundle(SNAPSHOT, NOTES[0]), bundle(forged)]))
    found = state(site)
    assert (found["valid_event_count"], found["invalid_event_count"]) == (3, 0)
    assert [e["payload"] for e in found["current"]["other_events"]] == [{"n": 0}]

    verdicts = [row["verdict"] for row in json.loads(site["report.json"])["bundles"]]
    assert sorted(verdicts) == ["checks failed", "verified"]


def test_disputed_copy_still_gives_its_verified_events(tmp_path: Path) -> None:
    """A failed event beside a verified one cannot silence it: the union has the verified one."""
    forged = {**NOTES[0], "payload": {"n": "forged"}}
    site = built(tmp_path, files_of([bundle(SNAPSHOT), bundle(forged, NOTES[1])]))
    found = state(site)
    assert found["invalid_event_count"] == 0
    assert [e["payload"] for e in found["current"]["other_events"]] == [{"n": 1}]


def test_hundreds_of_copies_are_united_in_linear_time(tmp_path: Path) -> None:
    """Every further copy costs about the same, so that copies cannot stop a mirror."""
    lines = [bundle(SNAPSHOT, event_of(RECORD, "n", {"n": n})) for n in range(400)]
    put(tmp_path / "bundles", {"many.ndjson": b"\n".join(lines)})
    started = time.process_time()
    build(tmp_path / "bundles", tmp_path / "site")
    assert time.process_time() - started < 20
    assert state(tree(tmp_path / "site"))["event_count"] == 402

"""Which files of a record a site has under its profile (ADR 16). Pure.

Whoever writes a file of a record, or links to one, asks here: nothing may lead to a file that is
not written.
"""

from __future__ import annotations

from generator import layout
from generator.config import Configuration, Profile

# Of the files below `pith/<suffix>/`: the signed bytes, the page that says what this mirror found,
# the badge that other sites embed, and who cites the record, which its own bundle does not know.
# The picture is a file for each record that the operator has asked for by name.
_KEPT = frozenset(("index.html", "bundle.json", "badge.svg", "cited-by.json", "preview.png"))
# Second copies, and other names of records, which the search finds.
_LEFT_OUT = (".well-known/pith/", "api/pith-number/", "arxiv/", "doi/", "p/")


def is_written(path: layout.SitePath, configuration: Configuration) -> bool:
    """Tell whether the profile has a path of a record's file or alias page.

    Args:
        path: any site path, also with `<suffix>` for the suffix; what belongs to no record is
            always written.
        configuration: names the profile.

    Returns:
        False only for what the profile leaves out.
    """
    if configuration.presentation.profile is Profile.FULL:
        return True
    if path.startswith(_LEFT_OUT):
        return False
    folder, _, rest = path.partition("/")
    _, _, name = rest.partition("/")
    return folder != "pith" or name in _KEPT

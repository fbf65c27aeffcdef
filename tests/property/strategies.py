"""What the properties are tried on: JSON values that survive, times, records."""

from __future__ import annotations

from hypothesis import strategies as st

# No surrogates: text that has no UTF-8 form is refused by the parser.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=25,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=6)

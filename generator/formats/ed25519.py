"""Ed25519 public keys that may be pinned, and those that may not (RFC 8032 5.1).

A key of small order is refused: a signature that names it says nothing of any secret, since some
signatures verify under it for every message or for one in eight. A key in another spelling than the
canonical one is refused because two spellings would be two fingerprints of one key. Which
signatures verify under a key that is pinned stands in `docs/formats/events.md`.
"""

from __future__ import annotations

PRIME = 2**255 - 19  # of the field, RFC 8032 5.1
_SIGN = 1 << 255  # the top bit of an encoding holds the lowest bit of x, RFC 8032 5.1.2
_D = -121665 * pow(121666, -1, PRIME) % PRIME  # of the curve, RFC 8032 5.1

# y of the four points of order 8, the roots of d y^4 + 2 y^2 - 1; a test computes them anew. All
# fourteen spellings are discussed by Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs",
# IACR ePrint 2020/1244.
_ORDER_8 = (
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
)


def _encoded(y: int, *, sign: bool) -> bytes:
    return (y | (_SIGN if sign else 0)).to_bytes(32, "little")


# Eight points have an order that divides the cofactor 8 (RFC 8032 5.1). Each in its canonical
# spelling: the point of order 1, that of order 2, two of order 4, four of order 8.
SMALL_ORDER = frozenset(
    (
        _encoded(1, sign=False),
        _encoded(PRIME - 1, sign=False),
        _encoded(0, sign=False),
        _encoded(0, sign=True),
        *(_encoded(y, sign=sign) for y in _ORDER_8 for sign in (False, True)),
    )
)
# The same points spelled with y + p where that still fits, and with a sign on x = 0. A decoder by
# RFC 8032 5.1.3 refuses these; many libraries, the one used here among them, do not.
SMALL_ORDER_OTHERWISE = frozenset(
    (
        _encoded(1, sign=True),
        _encoded(PRIME - 1, sign=True),
        *(_encoded(PRIME + y, sign=sign) for y in (0, 1) for sign in (False, True)),
    )
)


def public_key_fault(raw: bytes) -> tuple[str, str] | None:
    """Say why a public key may not be trusted, if it may not.

    Args:
        raw: its 32 bytes.

    Returns:
        None for a canonically spelled point of the curve that has no small order, else what was
        expected and what was found.
    """
    expected = "a public key of Ed25519 (RFC 8032 5.1)"
    if raw in SMALL_ORDER or raw in SMALL_ORDER_OTHERWISE:
        return expected, "a point of small order, whose signatures prove nothing"
    y = int.from_bytes(raw, "little") & ~_SIGN
    if y >= PRIME:
        return expected, "a spelling that is not canonical: y is not below 2^255 - 19"
    if not _is_on_curve(y):
        return expected, "no point of the curve"
    return None


def _is_on_curve(y: int) -> bool:
    """Tell whether x² = (y² - 1) / (d y² + 1) has a solution (RFC 8032 5.1.3, step 2)."""
    square = (y * y - 1) * (_D * y * y + 1) % PRIME
    # Euler's criterion; a quotient and the product of its parts are squares together.
    return pow(square, (PRIME - 1) // 2, PRIME) in {0, 1}

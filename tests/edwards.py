"""The group of Ed25519 in plain integers, from the formulas of RFC 8032 5.1 alone.

A second reading for tests: it makes keys and signatures that no library would make. Slow, and not
safe for secrets.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve -x² + y² = 1 + d x² y²."""

    x: int
    y: int

    def __add__(self, other: Point) -> Point:
        """Add by the complete formula, which has no exceptions on this curve."""
        product = D * self.x * other.x * self.y * other.y % P
        x = (self.x * other.y + self.y * other.x) * pow(1 + product, -1, P) % P
        y = (self.y * other.y + self.x * other.x) * pow(1 - product, -1, P) % P
        return Point(x, y)

    def __neg__(self) -> Point:
        """Mirror at the y axis."""
        return Point(-self.x % P, self.y)

    def __rmul__(self, factor: int) -> Point:
        """Double and add."""
        total, power = NEUTRAL, self
        while factor:
            if factor & 1:
                total = total + power
            power = power + power
            factor >>= 1
        return total

    @property
    def encoded(self) -> bytes:
        """32 bytes: y, little endian, and the lowest bit of x on top (RFC 8032 5.1.2)."""
        return (self.y | (self.x & 1) << 255).to_bytes(32, "little")

    @property
    def order(self) -> int:
        """The order, for a point whose order divides 8; else more than 8."""
        point, order = self, 1
        while point != NEUTRAL and order <= 8:
            point, order = point + self, order + 1
        return order


NEUTRAL = Point(0, 1)


def points_at(y: int) -> tuple[Point, ...]:
    """Find the points of the curve with a given y.

    Args:
        y: below P.

    Returns:
        None, one or two points, x ascending.
    """
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    if root * root % P != square:
        return ()
    return tuple(Point(x, y) for x in sorted({root, -root % P}))


def decoded(raw: bytes) -> Point | None:
    """Decode a point as lenient libraries do: y is reduced, and the sign of x = 0 is passed over.

    Args:
        raw: 32 bytes.

    Returns:
        The point, or None where there is none.
    """
    number = int.from_bytes(raw, "little")
    sign, y = number >> 255, (number & (1 << 255) - 1) % P
    found = points_at(y)
    return next((point for point in found if point.x & 1 == sign), found[0] if found else None)


BASE = next(point for point in points_at(4 * pow(5, -1, P) % P) if not point.x & 1)


def torsion() -> tuple[Point, ...]:
    """Find the eight points whose order divides the cofactor.

    Returns:
        The multiples 0 to 7 of one of order 8.
    """
    # L times any point has an order that divides 8; some y leads to one of order 8.
    candidates = (L * point for y in range(2, 100) for point in points_at(y))
    generator = next(point for point in candidates if point.order == 8)
    return tuple(factor * generator for factor in range(8))


def challenge(r: bytes, a: bytes, message: bytes) -> int:
    """Compute k = SHA-512(R || A || M) mod L (RFC 8032 5.1.6).

    Args:
        r: the signature's first half, as spelled.
        a: the public key, as spelled.
        message: what is signed.

    Returns:
        A scalar.
    """
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


def signature(r: bytes, s: int) -> bytes:
    """Spell a signature.

    Args:
        r: 32 bytes.
        s: a number below 2^256.

    Returns:
        64 bytes.
    """
    return r + s.to_bytes(32, "little")

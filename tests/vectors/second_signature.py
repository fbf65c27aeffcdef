"""A second valid Ed25519 signature of one message by one key (RFC 8032 5.1.6 with another nonce).

Libraries make one signature a message, since the nonce is a digest of key and message. The signer
may choose another, so two different signatures can both verify: identity must not hang on their
bytes.
"""

from __future__ import annotations

import base64
import hashlib

from tests.vectors.builders import SigningKey

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202

_Point = tuple[int, int]


def second_signature(key: SigningKey, message: bytes) -> str:
    """Sign with a nonce that no library would choose.

    Args:
        key: the signing key.
        message: the bytes to sign.

    Returns:
        Base64 of a signature that verifies and is not the usual one.
    """
    expanded = hashlib.sha512(key.secret.private_bytes_raw()).digest()
    scalar = int.from_bytes(expanded[:32], "little") & ((1 << 254) - 8) | 1 << 254
    nonce = _number(b"another nonce", expanded[32:], message)
    point = _encoded(_multiple(nonce, (_BASE_X, _BASE_Y)))
    challenge = _number(point, key.public, message)
    answer = (nonce + challenge * scalar) % _ORDER
    return base64.b64encode(point + answer.to_bytes(32, "little")).decode()


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % _ORDER


def _sum(left: _Point, right: _Point) -> _Point:
    (x1, y1), (x2, y2) = left, right
    product = _D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, _P) % _P
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, _P) % _P
    return x, y


def _multiple(count: int, point: _Point) -> _Point:
    total: _Point = (0, 1)
    while count:
        if count & 1:
            total = _sum(total, point)
        point = _sum(point, point)
        count >>= 1
    return total


def _encoded(point: _Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")

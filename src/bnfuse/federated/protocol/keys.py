"""Keys: Ed25519 to sign with, X25519 to agree on secrets, ChaCha20-Poly1305 to seal letters: all by `cryptography`."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Any

from bnfuse._base.optional import optional
from bnfuse.errors import FederationError

SECRET = 32
"""bytes of a secret, and of a public key"""
SIGNATURE = 64
_PURPOSE = "bnfuse federated"
_PRIMITIVES = "cryptography.hazmat.primitives"


@lru_cache
def _module(name: str) -> Any:
    return optional(f"{_PRIMITIVES}.{name}", _PURPOSE, "federated")


def drawn() -> bytes:
    """A new secret."""
    return secrets.token_bytes(SECRET)


# Signatures


def identity_key(secret: bytes) -> bytes:
    """The public key of an identity."""
    key: bytes = (
        _module("asymmetric.ed25519").Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    )
    return key


def signed(secret: bytes, content: bytes) -> bytes:
    """The signature of an identity over some content."""
    signature: bytes = _module("asymmetric.ed25519").Ed25519PrivateKey.from_private_bytes(secret).sign(content)
    return signature


def is_signed(public: bytes, signature: object, content: bytes) -> bool:
    """Whether the owner of an identity key signed some content."""
    if not isinstance(signature, bytes) or len(signature) != SIGNATURE:
        return False
    invalid = optional("cryptography.exceptions", _PURPOSE, "federated").InvalidSignature
    try:
        _module("asymmetric.ed25519").Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (invalid, ValueError):
        return False
    return True


# Secrets that two sites share


def public_key(secret: bytes) -> bytes:
    """The public key that belongs to a secret."""
    key: bytes = (
        _module("asymmetric.x25519").X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    )
    return key


@lru_cache(4)
def _exchanging(secret: bytes) -> Any:
    """A key that is used with all sites in turn: creating it costs as much as using it."""
    return _module("asymmetric.x25519").X25519PrivateKey.from_private_bytes(secret)


def agreed(secret: bytes, public: bytes) -> bytes:
    """A secret that only the owners of a secret key and of a public key can compute."""
    try:
        theirs = _module("asymmetric.x25519").X25519PublicKey.from_public_bytes(public)
        common: bytes = _exchanging(secret).exchange(theirs)
    except ValueError:
        raise FederationError("a public key is damaged") from None
    return common


def derived(secret: bytes, purpose: bytes) -> bytes:
    """A key for one purpose (HKDF with SHA-256)."""
    kdf = _module("kdf.hkdf").HKDF(_module("hashes").SHA256(), SECRET, None, purpose)
    key: bytes = kdf.derive(secret)
    return key


_NONCE = bytes(12)  # every key seals only one letter


def sealed(key: bytes, plain: bytes) -> bytes:
    """A letter that only the owners of a key can read or write."""
    letter: bytes = _module("ciphers.aead").ChaCha20Poly1305(key).encrypt(_NONCE, plain, None)
    return letter


def opened(key: bytes, letter: bytes) -> bytes | None:
    """The content that was sealed with a key; None if the key differs, or if the letter was changed."""
    invalid = optional("cryptography.exceptions", _PURPOSE, "federated").InvalidTag
    try:
        plain: bytes = _module("ciphers.aead").ChaCha20Poly1305(key).decrypt(_NONCE, letter, None)
    except (invalid, ValueError):
        return None
    return plain

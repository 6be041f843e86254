"""Certificates of the rig's own, which no system trusts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat


@dataclass(frozen=True)
class Certificate:
    both: Path
    """Key and certificate, for the server."""
    public: Path
    """The certificate alone, for those who trust it."""
    folder: Path
    """The same as a folder of authorities, under the name by which OpenSSL looks for it."""


def self_signed(folder: Path, *, address: str = "127.0.0.1", days: int = 2) -> Certificate:
    """A certificate that signs itself, valid for some days from now; expired if they are negative."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "rig")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=9))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .sign(key, SHA256())
    )
    public = certificate.public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    made = Certificate(folder / "both.pem", folder / "public.pem", folder / "authorities")
    made.both.write_bytes(private + public)
    made.public.write_bytes(public)
    made.folder.mkdir()
    (made.folder / f"{_lookup_name(certificate):08x}.0").write_bytes(public)
    return made


def _lookup_name(certificate: x509.Certificate) -> int:
    """OpenSSL's hash of a subject: of its canonical form, which for one lower-case name is a plain UTF8String."""
    common_name = bytes([0x06, 3, 0x55, 4, 3]) + bytes([0x0C, 3]) + b"rig"
    pair = bytes([0x30, len(common_name)]) + common_name
    canonical = bytes([0x31, len(pair)]) + pair
    assert certificate.subject.rfc4514_string() == "CN=rig"
    return int.from_bytes(sha1(canonical).digest()[:4], "little")

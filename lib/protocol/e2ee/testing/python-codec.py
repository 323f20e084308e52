"""Second implementation of the codec, on the `cryptography` package. Reads one JSON command and writes one answer per line."""
import json
import os
import sys

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256K1()


def content_key(secret, point):
    shared = secret.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point))
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"ecdsa_encryption").derive(shared)


def encrypt(text, public_key):
    ephemeral = ec.generate_private_key(CURVE)
    nonce = os.urandom(12)
    sealed = AESGCM(content_key(ephemeral, bytes.fromhex(public_key))).encrypt(nonce, text.encode(), None)
    point = ephemeral.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return (point + nonce + sealed).hex()


def decrypt(content, secret_key):
    data = bytes.fromhex(content)
    secret = ec.derive_private_key(int(secret_key, 16), CURVE)
    return AESGCM(content_key(secret, data[:65])).decrypt(data[65:77], data[77:], None).decode()


for line in sys.stdin:
    command = json.loads(line)
    answer = encrypt(command["text"], command["key"]) if command["do"] == "encrypt" else decrypt(command["content"], command["key"])
    print(json.dumps(answer), flush=True)

"""Sends an encrypted question to a gateway, written from the specification alone. Arguments: URL MODEL QUESTION. Reads TURNPIKE_API_KEY."""
import json
import os
import secrets
import sys
import urllib.request

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256K1()
URL, MODEL, QUESTION = sys.argv[1:]
AUTHORIZATION = {"Authorization": "Bearer " + os.environ["TURNPIKE_API_KEY"]}
# Ignores the machine's proxy settings.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def request(path, body=None, headers=()):
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(URL + "/api/v1" + path, data, {**AUTHORIZATION, "Content-Type": "application/json", **dict(headers)})
    return OPENER.open(asked, timeout=60)


def point(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def aes_key(mine, theirs):
    shared = mine.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"ecdsa_encryption").derive(shared)


def encrypt(text, model_key):
    ephemeral, nonce = ec.generate_private_key(CURVE), os.urandom(12)
    return (point(ephemeral) + nonce + AESGCM(aes_key(ephemeral, model_key)).encrypt(nonce, text.encode(), None)).hex()


def decrypt(content, mine):
    data = bytes.fromhex(content)
    return AESGCM(aes_key(mine, data[:65])).decrypt(data[65:77], data[77:], None).decode()


nonce = secrets.token_hex(32)
with request(f"/tee/attestation?model={MODEL}&nonce={nonce}") as answer:
    report = json.load(answer)
assert report["nonce"] == nonce
model_key = report.get("signing_key") or report["signing_public_key"]
model_key = model_key if len(model_key) == 130 else "04" + model_key

client = ec.generate_private_key(CURVE)
headers = {
    "X-Service-TEE-Client-Pub-Key": point(client).hex(),
    "X-Service-TEE-Model-Pub-Key": model_key,
    "X-Service-TEE-Signing-Algo": "ecdsa",
}
message = {"role": "user", "content": encrypt(QUESTION, bytes.fromhex(model_key))}
deltas, done = [], False
with request("/chat/completions", {"model": MODEL, "stream": True, "messages": [message]}, headers) as stream:
    for line in stream:
        data = line.decode().rstrip("\r\n")
        if data == "data: [DONE]":
            done = True
        elif data.startswith("data: "):
            for choice in json.loads(data[6:])["choices"]:
                if choice["delta"].get("content"):
                    deltas.append(choice["delta"]["content"])
assert done
print(json.dumps({"verified": report["verified"], "deltas": len(deltas), "text": "".join(decrypt(delta, client) for delta in deltas)}))

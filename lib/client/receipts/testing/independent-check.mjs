// Checks a receipt with node:crypto alone, as docs/receipts.md describes it. Shares no code with the gateway or client.
// Usage: node independent-check.mjs RECEIPT KEYS [REQUEST [ANSWER [REPORT]]]
import { createECDH, createHash, createPublicKey, ECDH, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
const [receiptFile, keysFile, requestFile, answerFile, reportFile] = process.argv.slice(2);
const refuse = (reason) => process.exit(console.log(`refused: ${reason}`) ?? 1);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const jcs = (value) => {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(value[name])}`).join(',')}}`;
};
const hex = (value) => value.toString(16).padStart(64, '0');
const keccak = (bytes) => {
  const padded = Buffer.alloc(bytes.length - (bytes.length % 136) + 136);
  padded.set(bytes);
  [padded[bytes.length], padded[padded.length - 1]] = [1, padded.length - bytes.length === 1 ? 0x81 : 0x80];
  const a = Array(25).fill(0n);
  const turned = (lane, by) => BigInt.asUintN(64, (lane << by) | (lane >> (64n - by)));
  for (let at = 0; at < padded.length; at += 136) {
    for (let lane = 0; lane < 17; lane++) a[lane] ^= padded.readBigUInt64LE(at + 8 * lane);
    for (let round = 0, bits = 1; round < 24; round++) {
      const c = [0, 1, 2, 3, 4].map((x) => a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
      for (let lane = 0; lane < 25; lane++) a[lane] ^= c[(lane + 4) % 5] ^ turned(c[(lane + 1) % 5], 1n);
      for (let step = 1, x = 1, y = 0, last = a[1]; step < 25; step++) {
        [x, y] = [y, (2 * x + 3 * y) % 5];
        [a[x + 5 * y], last] = [turned(last, BigInt(((step * (step + 1)) / 2) % 64)), a[x + 5 * y]];
      }
      for (let y = 0; y < 25; y += 5)
        a.slice(y, y + 5).forEach((lane, x, row) => {
          a[y + x] = lane ^ (BigInt.asUintN(64, ~row[(x + 1) % 5]) & row[(x + 2) % 5]);
        });
      for (let bit = 0; bit < 7; bit++, bits = ((bits << 1) ^ ((bits >> 7) * 0x171)) & 255)
        if (bits & 1) a[0] ^= 1n << BigInt(2 ** bit - 1);
    }
  }
  return Buffer.concat(a.slice(0, 4).map((lane) => Buffer.from(hex(lane).slice(48), 'hex').reverse()));
};
const [P, N] = [2n ** 256n - 2n ** 32n - 977n, BigInt(`0x${'f'.repeat(31)}ebaaedce6af48a03bbfd25e8cd0364141`)];
const power = (base, by, m) => {
  let result = 1n;
  for (let b = ((base % m) + m) % m; by > 0n; by >>= 1n, b = (b * b) % m) if (by & 1n) result = (result * b) % m;
  return result;
};
const times = (factor, point) => {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(hex(power(factor, 1n, N)), 'hex');
  const key = point === undefined ? curve.getPublicKey('hex') : `02${curve.computeSecret(point, 'hex', 'hex')}`;
  return ECDH.convertKey(key, 'secp256k1', 'hex', 'hex', 'uncompressed');
};
const evmSigners = (text, signature) => {
  const [r, s] = [0, 64].map((at) => BigInt(`0x${signature.replace(/^0x/, '').slice(at, at + 64)}`));
  const hash = keccak(Buffer.from(`\x19Ethereum Signed Message:\n${Buffer.byteLength(text)}${text}`)).toString('hex');
  const inverse = power(r, N - 2n, N);
  const points = [times(-BigInt(`0x${hash}`) * inverse), times(s * inverse, `02${hex(r)}`)];
  const [[x1, y1], [x2, y2]] = points.map((each) => [2, 66].map((at) => BigInt(`0x${each.slice(at, at + 64)}`)));
  return [y2, P - y2].map((y) => {
    const slope = (y - y1) * power(x2 - x1, P - 2n, P);
    const x = power(slope * slope - x1 - x2, 1n, P);
    const key = Buffer.from(hex(x) + hex(power(slope * (x1 - x) - y1, 1n, P)), 'hex');
    return `0x${keccak(key).toString('hex').slice(24)}`;
  });
};
const { format, signature } = JSON.parse(readFileSync(receiptFile, 'utf8'));
const parts = format === 'jws' ? signature.split('.') : refuse('not a JWS');
if (parts.length !== 3 || !parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part))
  refuse('not in compact form');
const [header, payload] = parts.slice(0, 2).map((part) => {
  const text = Buffer.from(part, 'base64url').toString();
  const value = JSON.parse(text);
  return jcs(value) === text ? value : refuse('not canonical');
});
if (header.alg !== 'EdDSA' || header.typ !== 'turnpike-receipt+jws') refuse('another algorithm or type');
if (payload.version !== 1) refuse('another version');
const isSigned = (x, text, proof) =>
  verify(null, Buffer.from(text), createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), proof);
const jwk = JSON.parse(readFileSync(keysFile, 'utf8')).keys.find(({ kid }) => kid === header.kid);
if (jwk === undefined) refuse('unknown key');
const thumbprint = createHash('sha256').update(jcs({ crv: jwk.crv, kty: jwk.kty, x: jwk.x }));
if (thumbprint.digest('base64url') !== jwk.kid) refuse('key and kid differ');
if (!isSigned(jwk.x, `${parts[0]}.${parts[1]}`, Buffer.from(parts[2], 'base64url'))) refuse('signature');
const { issuer, resourceUrl, offer, charge, request, answer, enclave } = payload;
if (new URL(resourceUrl).origin !== issuer) refuse('another origin');
const isOf = (said, bytes) => bytes.length === said.bytes && sha256(bytes) === said.sha256;
if (requestFile !== undefined && !isOf(request, readFileSync(requestFile))) refuse('another request');
if (answerFile !== undefined && !isOf(answer, readFileSync(answerFile))) refuse('another answer');
if (charge.nanoUsd > offer.maximumNanoUsd) refuse('charge above the offer');
if (reportFile !== undefined && sha256(readFileSync(reportFile)) !== enclave.report.sha256) refuse('another report');
if (enclave?.signature !== undefined) {
  const hashes = `${request.sha256}:${answer.sha256}`;
  const { text, signature: proof, signingAddress, algorithm } = enclave.signature;
  if (![hashes, `${payload.model}:${hashes}`].includes(text)) refuse('enclave signed another exchange');
  const key = Buffer.from(signingAddress, 'hex').toString('base64url');
  const isHeld = algorithm === 'ed25519' && isSigned(key, text, Buffer.from(proof.replace(/^0x/, ''), 'hex'));
  if (!isHeld && !(algorithm === 'ecdsa' && evmSigners(text, proof).includes(signingAddress.toLowerCase())))
    refuse('signature of the enclave');
}
console.log(`valid: ${payload.requestId} of ${issuer}, enclave ${enclave?.signature?.algorithm}`);

// Checks a receipt with node:crypto alone, as docs/receipts.md describes it. Shares no code with the gateway or client.
// Usage: node independent-check.mjs RECEIPT KEYS [REQUEST [ANSWER]]
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [receiptFile, keysFile, requestFile, answerFile] = process.argv.slice(2);
const refuse = (reason) => {
  console.log(`refused: ${reason}`);
  process.exit(1);
};
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const jcs = (value) => {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(value[name])}`).join(',')}}`;
};

const { format, signature } = JSON.parse(readFileSync(receiptFile, 'utf8'));
if (format !== 'jws') refuse('not a JWS');
const parts = signature.split('.');
if (parts.length !== 3 || !parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part))
  refuse('not in compact form');
const [header, payload] = parts.slice(0, 2).map((part) => {
  const text = Buffer.from(part, 'base64url').toString();
  const value = JSON.parse(text);
  if (jcs(value) !== text) refuse('not canonical');
  return value;
});
if (header.alg !== 'EdDSA' || header.typ !== 'turnpike-receipt+jws') refuse('another algorithm or type');
if (payload.version !== 1) refuse('another version');

const jwk = JSON.parse(readFileSync(keysFile, 'utf8')).keys.find(({ kid }) => kid === header.kid);
if (jwk === undefined) refuse('unknown key');
const thumbprint = createHash('sha256').update(jcs({ crv: jwk.crv, kty: jwk.kty, x: jwk.x }));
if (thumbprint.digest('base64url') !== jwk.kid) refuse('key and kid differ');
const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
if (!verify(null, Buffer.from(`${parts[0]}.${parts[1]}`), key, Buffer.from(parts[2], 'base64url'))) refuse('signature');

const { issuer, resourceUrl, offer, charge, request, answer, enclave } = payload;
if (new URL(resourceUrl).origin !== issuer) refuse('another origin');
for (const [name, file, said] of [
  ['request', requestFile, request],
  ['answer', answerFile, answer],
]) {
  if (file === undefined) continue;
  const bytes = readFileSync(file);
  if (bytes.length !== said.bytes || sha256(bytes) !== said.sha256) refuse(`another ${name}`);
}
if (charge.nanoUsd > offer.maximumNanoUsd) refuse('charge above the offer');
if (enclave !== undefined) {
  const hashes = `${request.sha256}:${answer.sha256}`;
  if (![hashes, `${payload.model}:${hashes}`].includes(enclave.signature.text))
    refuse('enclave signed another exchange');
}
console.log(`valid: ${payload.requestId} of ${issuer}, ${charge.nanoUsd} nano-USD for ${charge.resource}`);

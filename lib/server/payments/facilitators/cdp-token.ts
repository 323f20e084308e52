import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Secret } from '../../config/secret';

const LIFETIME_SECONDS = 120;
/** PKCS #8 prefix of an Ed25519 key (RFC 8410). */
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Makes a Coinbase Developer Platform token for one request: a JWT signed by the API key, valid for two minutes, with
 * method, host and path in `uris` (CDP documentation, "API key authentication").
 *
 * @throws Error if the secret is neither base64 of an Ed25519 key nor a PEM of an EC key
 */
export async function cdpToken({
  id,
  secret,
  method,
  url,
}: {
  id: string;
  secret: Secret;
  method: string;
  url: URL;
}): Promise<string> {
  const key = signingKey(secret.reveal());
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: id, iss: 'cdp', uris: [`${method} ${url.host}${url.pathname}`] })
    .setProtectedHeader({
      alg: key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256',
      kid: id,
      typ: 'JWT',
      nonce: randomBytes(16).toString('hex'),
    })
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key);
}

function signingKey(secret: string): KeyObject {
  if (secret.includes('-----BEGIN')) return createPrivateKey(secret.replaceAll('\\n', '\n'));
  // 64 bytes: the seed, then the public key.
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 64) throw new Error('The secret of the CDP API key must be base64 of 64 bytes, or a PEM.');
  return createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8_PREFIX, bytes.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
}

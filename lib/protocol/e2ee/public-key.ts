import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { isPointOf } from '../curve-point';
import { E2eeError } from './e2ee-error';

/** Length in bytes of an uncompressed secp256k1 point: 04, x, y. */
export const PUBLIC_KEY_BYTES = 65;

const WITH_PREFIX = /^04[0-9a-f]{128}$/i;
const WITHOUT_PREFIX = /^[0-9a-f]{128}$/i;

/**
 * Parses a model's public key: 130 hex characters that start with 04, or 128 without the prefix (specification, "E2EE
 * calls", rule 3a).
 *
 * @returns 65 bytes of a point on secp256k1
 * @throws {E2eeError} INVALID_PUBLIC_KEY for a wrong length or form, or a point that is not on the curve
 */
export function parseModelPublicKey(text: string): Uint8Array {
  if (WITH_PREFIX.test(text)) return pointBytes(text);
  if (WITHOUT_PREFIX.test(text)) return pointBytes(`04${text}`);
  throw new E2eeError(
    'INVALID_PUBLIC_KEY',
    'a model’s key must be 130 hexadecimal characters that start with 04, or 128 without it',
  );
}

/**
 * Parses a client's public key: 130 hex characters that start with 04.
 *
 * @throws {E2eeError} INVALID_PUBLIC_KEY
 */
export function parseClientPublicKey(text: string): Uint8Array {
  if (WITH_PREFIX.test(text)) return pointBytes(text);
  throw new E2eeError('INVALID_PUBLIC_KEY', 'a client’s key must be 130 hexadecimal characters that start with 04');
}

/**
 * Asserts that bytes are an uncompressed point of secp256k1.
 *
 * @throws {E2eeError} INVALID_PUBLIC_KEY
 */
export function assertPublicKey(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== PUBLIC_KEY_BYTES || bytes[0] !== 4)
    throw new E2eeError('INVALID_PUBLIC_KEY', 'not an uncompressed point');
  if (!isPointOf('secp256k1', bytes)) throw new E2eeError('INVALID_PUBLIC_KEY', 'not a point of secp256k1');
  return bytes;
}

/** Ethereum address of a public key: the last 20 bytes of keccak-256 over x and y. */
export function addressBytesOf(publicKey: Uint8Array): Uint8Array {
  return keccak_256(assertPublicKey(publicKey).subarray(1)).subarray(12);
}

/** Ethereum address as `0x` and lower-case hex. */
export function addressOf(publicKey: Uint8Array): string {
  return `0x${bytesToHex(addressBytesOf(publicKey))}`;
}

function pointBytes(hex: string): Uint8Array {
  return assertPublicKey(hexToBytes(hex.toLowerCase()));
}

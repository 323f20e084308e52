import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../canonical-json';
import type { MintRequest } from './mint-request';

export type MintWish = Omit<MintRequest, 'address' | 'signature' | 'token'>;

/** Returns the SHA-256 digest of the requested terms' canonical JSON (RFC 8785), lower-case hex. */
export function termsDigest(request: MintWish & Partial<MintRequest>): string {
  const { address: _address, signature: _signature, token: _token, ...wish } = request;
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(wish))));
}

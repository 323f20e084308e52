import { apiError } from '@/lib/protocol/errors';
import { hashApiKey } from '../db/api-keys';
import { bearerSecret } from './bearer';

const HEADERS_MAX = 10_000;
/** Longer headers are not cached. */
const HEADER_LENGTH_MAX = 600;

/** Caches hashes of recent keys, because hashing takes longer than finding the caller. */
export class KeyHashes {
  readonly #hashes = new Map<string, string>();

  /** Returns the key hash of an Authorization header. @throws ApiError INVALID_AUTHORIZATION */
  of(authorization: string): string {
    return this.#hashes.get(authorization) ?? this.#read(authorization);
  }

  #read(authorization: string): string {
    const secret = bearerSecret(authorization);
    if (secret === undefined) throw apiError('INVALID_AUTHORIZATION');
    const hash = hashApiKey(secret);
    if (authorization.length > HEADER_LENGTH_MAX) return hash;
    if (this.#hashes.size >= HEADERS_MAX) this.#hashes.clear();
    // Copied, because a substring would keep the whole request head in memory.
    this.#hashes.set(Buffer.from(authorization, 'latin1').toString('latin1'), hash);
    return hash;
  }
}

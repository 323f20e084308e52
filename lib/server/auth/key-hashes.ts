import { apiError } from '@/lib/protocol/errors';
import { hashApiKey } from '../db/api-keys';
import { bearerSecret } from './bearer';

/** Most headers that are cached. */
const HEADERS_MAX = 10_000;
/** Longer headers are not cached. */
const HEADER_LENGTH_MAX = 600;

/** Caches the hashes of recently used keys, because hashing a key takes longer than finding its caller. */
export class KeyHashes {
  readonly #hashes = new Map<string, string>();

  /** The hash of the key in an Authorization header. @throws ApiError INVALID_AUTHORIZATION */
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

import { apiError } from '@/lib/protocol/errors';
import { hashApiKey } from '../db/api-keys';
import { bearerSecret } from './bearer';

/** As many callers as are kept in mind. */
const HEADERS_MAX = 10_000;
/** Headers of more than a secret and its scheme are not kept. */
const HEADER_LENGTH_MAX = 600;

/** The hashes of the keys that were shown lately: to hash a key takes longer than to find its caller. */
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
    // A copy: the engine has a part of a request's head keep all of it.
    this.#hashes.set(Buffer.from(authorization, 'latin1').toString('latin1'), hash);
    return hash;
  }
}

import type { NvidiaKey } from '@/lib/protocol/tee/policy';
import { UsageError } from '@/lib/command-line/usage-error';
import { readText } from './files';

/**
 * Reads NVIDIA's P-384 keys from a JSON Web Key Set (RFC 7517). Verifiers accept these keys in addition to keys that a
 * pinned authority certified.
 *
 * @throws {UsageError} for an unreadable file, an invalid set, or a set without such a key
 */
export function nvidiaKeysFrom(file: string): NvidiaKey[] {
  const keys = keysOf(readText(file)).filter(
    ({ kty, crv, kid, x, y }) =>
      kty === 'EC' && crv === 'P-384' && [kid, x, y].every((part) => typeof part === 'string'),
  );
  if (keys.length === 0)
    throw new UsageError(`${file} is no JSON Web Key Set with a key on P-384 (kty, crv, kid, x, y).`);
  return keys;
}

function keysOf(text: string): NvidiaKey[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return (Array.isArray(keys) ? keys : []).filter((key): key is NvidiaKey => typeof key === 'object' && key !== null);
  } catch {
    return [];
  }
}

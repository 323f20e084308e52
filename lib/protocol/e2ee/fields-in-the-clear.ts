import { chatField } from '@/lib/protocol/chat/chat-request';
import { foldedName } from '@/lib/protocol/chat/field-check';

/** Fields that add model text to the answer. The enclave encrypts that text only with X-Encrypt-All-Fields. */
const ENCRYPTABLE: ReadonlySet<string> = new Set(['logprobs', 'top_logprobs']);

/**
 * Matches names (after `foldedName`) of fields with which open-source servers also return values that reveal prompt or
 * answer. No enclave encrypts these values.
 */
const TELLING = /logprob|hiddenstates|^return|metainfo|tokenids/;

/**
 * Finds a field that would make the enclave return model text in plaintext.
 *
 * @param encryptsAll whether the request has X-Encrypt-All-Fields
 */
export function fieldInTheClear(
  body: Readonly<Record<string, unknown>>,
  encryptsAll: boolean,
): { path: string; isEncryptable: boolean } | null {
  for (const [name, value] of Object.entries(body)) {
    if (ENCRYPTABLE.has(name)) {
      if (!encryptsAll && asks(value) && value !== 0) return { path: name, isEncryptable: true };
    } else if (chatField(name) === undefined) {
      const path = tellingPath(name, value, '');
      if (path !== null) return { path, isEncryptable: false };
    }
  }
  return null;
}

function tellingPath(name: string, value: unknown, above: string): string | null {
  const path = `${above}${name.slice(0, 60)}`;
  if (TELLING.test(foldedName(name)) && asks(value)) return path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [inner, its] of Object.entries(value)) {
    const found = tellingPath(inner, its, `${path}.`);
    if (found !== null) return found;
  }
  return null;
}

/** Returns whether the value turns a field on. Zero turns a field on too: `prompt_logprobs: 0` returns text. */
function asks(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

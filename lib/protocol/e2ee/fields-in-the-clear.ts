import { chatField } from '../chat/chat-fields';
import { foldedName } from '../chat/folded-name';

/** Fields whose answer tells words of the model, and is encrypted where all fields are. */
const ENCRYPTABLE: ReadonlySet<string> = new Set(['logprobs', 'top_logprobs']);

/** Names by which open servers are asked to tell more of prompt or answer, folded: no enclave encrypts what they give. */
const TELLING = /logprob|hiddenstates|^return|metainfo|tokenids/;

/**
 * Finds a field of an encrypted chat that has the enclave answer in plain text what it would else encrypt.
 * @param encryptsAll whether X-Encrypt-All-Fields is sent
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

/** Of `prompt_logprobs` zero asks for something as well. */
function asks(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

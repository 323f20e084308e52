import { asArray, asObject, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import type { ClaimedEnclave } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { readChutesInstance } from './chutes-instance';
import { arrayAt, hasTexts, itemAt, textAt } from './members';

/**
 * Chutes. One endpoint returns the instances (`evidence`), another their ML-KEM-768 keys (`instances`; docs.chutes.ai,
 * "End-to-end encryption"). The instances may change between the two requests.
 */
export const chutes: FamilyAdapter = {
  family: 'chutes',
  isSpokenBy: (answers) => evidenceIn(answers) !== undefined,
  enclavesOf,
};

function evidenceIn(answers: readonly FamilyAnswer[]): JsonObject | undefined {
  return answers
    .map(({ json }) => json)
    .find((json) =>
      (arrayAt(json, 'evidence') ?? []).some(
        (item) => typeof item === 'object' && item !== null && hasTexts(item as JsonObject, 'quote', 'instance_id'),
      ),
    );
}

function enclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const evidence = asArray(evidenceIn(answers)?.['evidence'], 'evidence', ENCLAVES_MAX);
  const keys = keysOf(answers);
  const seen = new Set<string>();
  return evidence.map((_, index) => {
    const json = itemAt(evidence, index, 'evidence');
    const id = textAt(json, 'instance_id') ?? '';
    if (seen.has(id)) throw new Malformed('The report names an instance twice.');
    seen.add(id);
    return readChutesInstance({
      json,
      quoteName: 'quote',
      key: textAt(json, 'e2e_pubkey') ?? keys.get(id) ?? null,
      statedNonce: textAt(json, 'nonce'),
    });
  });
}

/**
 * Returns keys by instance id.
 *
 * @throws {Malformed} if an instance has two keys
 */
function keysOf(answers: readonly FamilyAnswer[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { json } of answers) {
    const instances = asArray(arrayAt(json, 'instances') ?? [], 'instances', ENCLAVES_MAX).map((item, index) =>
      asObject(item, `instances[${index}]`),
    );
    for (const instance of instances) {
      const [id, key] = [textAt(instance, 'instance_id'), textAt(instance, 'e2e_pubkey')];
      if (id === null || key === null) continue;
      if (keys.has(id) && keys.get(id) !== key) throw new Malformed('The report names two keys of an instance.');
      keys.set(id, key);
    }
  }
  return keys;
}

import type { FamilyAnswer } from '../../family';

const MODELS_MAX = 1_000;

/**
 * Finds the host and claimed model of the enclave with this HPKE key in the router's list
 * (`/.well-known/tinfoil-proxy`). The list is unverified and only for display.
 */
export function namedIn(answers: readonly FamilyAnswer[], key: string): { name: string; model: string } | null {
  for (const { json } of answers) {
    for (const [model, entry] of membersOf(json['models']).slice(0, MODELS_MAX)) {
      for (const [name, enclave] of membersOf(membersOf(entry).find(([member]) => member === 'enclaves')?.[1]).slice(
        0,
        MODELS_MAX,
      )) {
        const { hpke_key: listed } = (enclave ?? {}) as { hpke_key?: unknown };
        if (typeof listed === 'string' && listed.toLowerCase() === key)
          return { name: name.slice(0, 200), model: model.slice(0, 200) };
      }
    }
  }
  return null;
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

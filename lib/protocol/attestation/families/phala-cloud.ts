import { asArray, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import type { ClaimedEnclave } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { readChutesInstance } from './chutes';
import { arrayAt, hasTexts, itemAt, textAt } from './members';

/**
 * Reports of Phala's cloud for requests that it routes to Chutes instances (docs.redpill.ai, "Attestation").
 * `all_attestations` lists the instances with their keys. The report's top-level nonce applies to every instance
 * without its own nonce. `near.ts` parses the reports of Phala's own enclaves.
 */
export const phalaCloud: FamilyAdapter = {
  family: 'phala-cloud',
  isSpokenBy: (answers) => reportIn(answers) !== undefined,
  enclavesOf,
};

function reportIn(answers: readonly FamilyAnswer[]): JsonObject | undefined {
  return answers
    .map(({ json }) => json)
    .find((json) =>
      (arrayAt(json, 'all_attestations') ?? []).some(
        (item) =>
          typeof item === 'object' && item !== null && hasTexts(item as JsonObject, 'intel_quote', 'instance_id'),
      ),
    );
}

function enclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const json = reportIn(answers) ?? {};
  const listed = asArray(json['all_attestations'], 'all_attestations', ENCLAVES_MAX);
  const instances = listed.map((_, index) => itemAt(listed, index, 'all_attestations'));
  if (new Set(instances.map((instance) => instance['instance_id'])).size < instances.length)
    throw new Malformed('The report lists an instance twice.');
  return instances.map((instance) => {
    return readChutesInstance({
      json: instance,
      quoteName: 'intel_quote',
      key: textAt(instance, 'e2e_pubkey'),
      statedNonce: textAt(instance, 'nonce') ?? textAt(json, 'nonce'),
    });
  });
}

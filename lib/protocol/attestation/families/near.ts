import type { JsonObject } from '../../tee/json-shape';
import { asArray } from '../../tee/json-shape';
import type { ClaimedEnclave } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { readDstackEnclave, signingAlgorithm } from './dstack-enclave';
import { arrayAt, hasTexts, itemAt, textAt } from './members';

/**
 * A model's own enclave under dstack, as NEAR AI's inference proxy reports it and others hand on: one report, or several
 * of as many machines in `all_attestations`, in which the first stands again (docs.near.ai, "Verification").
 */
function isReport(json: JsonObject): boolean {
  return (
    hasTexts(json, 'intel_quote') ||
    (arrayAt(json, 'all_attestations') ?? []).some(
      (item) => typeof item === 'object' && item !== null && hasTexts(item as JsonObject, 'intel_quote'),
    )
  );
}

const ANOTHER = 'Another machine of the same model: the report speaks for the one that stands first in it.';

/** The report itself, if it stands for a machine, and those that it lists beside that. */
function reportsOf(answers: readonly FamilyAnswer[]): JsonObject[] {
  const json = answers.map((answer) => answer.json).find(isReport) ?? {};
  const listed = asArray(json['all_attestations'] ?? [], 'all_attestations', ENCLAVES_MAX);
  const others = listed.map((_, index) => itemAt(listed, index, 'all_attestations'));
  if (json['intel_quote'] === undefined && json['signing_address'] === undefined) return others;
  return [
    json,
    ...others.filter(
      (other) => other['signing_address'] !== json['signing_address'] && other['intel_quote'] !== json['intel_quote'],
    ),
  ];
}

/** Prompts are encrypted to the key of the report itself; without one, to that of any machine. */
function enclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const reports = reportsOf(answers);
  const hasOwn = answers.some(({ json }) => json === reports[0]);
  return reports.map((report, index) => ({
    ...readDstackEnclave(
      report,
      'model',
      reports.length === 1 ? null : (textAt(report, 'signing_address') ?? String(index + 1)),
    ),
    ...(hasOwn && index > 0 && { unusable: ANOTHER }),
  }));
}

/** Keys of Ed25519: content is encrypted to X25519. */
export const nearEd25519: FamilyAdapter = {
  family: 'near-ed25519',
  isSpokenBy: (answers) =>
    answers.some(({ json }) => isReport(json)) &&
    reportsOf(answers).some((report) => signingAlgorithm(report) === 'ed25519'),
  enclavesOf,
};

/** Keys of secp256k1, as Venice and Phala have them too. */
export const nearEcdsa: FamilyAdapter = {
  family: 'near-ecdsa',
  isSpokenBy: (answers) => answers.some(({ json }) => isReport(json)),
  enclavesOf,
};

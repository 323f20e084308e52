import type { JsonObject } from '../../tee/json-shape';
import { asArray } from '../../tee/json-shape';
import type { ClaimedEnclave } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { readDstackEnclave, signingAlgorithm } from './dstack-enclave';
import { arrayAt, hasTexts, itemAt, textAt } from './members';

/**
 * Returns whether the answer is a dstack report in NEAR AI's format. With several machines, `all_attestations` lists
 * all reports, including the top-level report (docs.near.ai, "Verification").
 */
function isReport(json: JsonObject): boolean {
  return (
    hasTexts(json, 'intel_quote') ||
    (arrayAt(json, 'all_attestations') ?? []).some(
      (item) => typeof item === 'object' && item !== null && hasTexts(item as JsonObject, 'intel_quote'),
    )
  );
}

const ANOTHER = 'This is another machine of the same model; the report proves only the first machine in it.';

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

/** Puts the top-level report first, because clients prefer to encrypt to that report's key. */
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

/** Family of reports with Ed25519 keys, which clients convert to X25519 to encrypt. */
export const nearEd25519: FamilyAdapter = {
  family: 'near-ed25519',
  isSpokenBy: (answers) =>
    answers.some(({ json }) => isReport(json)) &&
    reportsOf(answers).some((report) => signingAlgorithm(report) === 'ed25519'),
  enclavesOf,
};

/** Family of reports with secp256k1 keys. Venice and Phala use this format too. */
export const nearEcdsa: FamilyAdapter = {
  family: 'near-ecdsa',
  isSpokenBy: (answers) => answers.some(({ json }) => isReport(json)),
  enclavesOf,
};

import { assertBoundedJson } from '../tee/json-bounds';
import { asArray, asString, type JsonObject } from '../tee/json-shape';
import { Malformed } from '../tee/malformed';
import type { Endorsements } from './endorsements';
import type { FamilyAnswer } from './family';

const ANSWERS_MAX = 8;
const ENDORSEMENTS_MAX = 64;

/** Members of the gateway's report, for families whose answers have no place in the form of the specification. */
export interface ServedAnswers {
  /** What the provider answered, byte for byte as text; null where the report's own members say it all. */
  provider_answers: readonly string[] | null;
  /** What others say of that hardware; null beside null. */
  provider_endorsements: {
    tdx_collateral: readonly unknown[];
    nvidia_verdicts: readonly unknown[];
    nvidia_keys: readonly unknown[];
    nvidia_fault: string | null;
  } | null;
}

/** An answer of a provider as a family reads it; null for what is no JSON object. @throws {Malformed} for one that is too long, too deep, or too large */
export function providerAnswer(text: string): FamilyAnswer | null {
  const json = parsed(text);
  assertBoundedJson(json, 'report');
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { json: json as JsonObject, text } : null;
}

/**
 * What a provider answered, out of the gateway's report.
 *
 * @returns null where the report holds none, so that its own members are to be read
 */
export function servedAnswers(
  report: unknown,
): { answers: () => readonly FamilyAnswer[]; endorsements: Endorsements } | null {
  const { provider_answers: texts, provider_endorsements: said } = objectOf(report);
  if (texts == null) return null;
  const {
    tdx_collateral: collateral,
    nvidia_verdicts: verdicts,
    nvidia_keys: keys,
    nvidia_fault: fault,
  } = objectOf(said);
  const list = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? (value as unknown[]).slice(0, ENDORSEMENTS_MAX) : [];
  const endorsements: Endorsements = {
    tdxCollateral: list(collateral),
    amdCertificates: [],
    amdRevocationLists: [],
    nvidiaVerdicts: list(verdicts),
    nvidiaKeySets: list(keys),
    nvidiaFault: typeof fault === 'string' ? fault : null,
    sigstoreBundles: [],
    releaseDigests: [],
  };
  const answers = () =>
    asArray(texts, 'provider_answers', ANSWERS_MAX).map((text, index) => {
      const answer = providerAnswer(asString(text, `provider_answers[${index}]`));
      if (answer === null) throw new Malformed(`provider_answers[${index}] is no JSON object.`);
      return answer;
    });
  return { answers, endorsements };
}

/** Collateral that a provider answered beside its enclaves, parsed JSON, not read yet. */
export function broughtCollateral(answers: readonly FamilyAnswer[]): unknown[] {
  return answers.flatMap(({ json }) => (json['collateral'] == null ? [] : [json['collateral']]));
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

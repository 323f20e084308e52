import { recordOf } from '@/lib/protocol/json-record';
import { assertBoundedJson } from '../tee/json-bounds';
import { asArray, asString, type JsonObject } from '../tee/json-shape';
import { Malformed } from '../tee/malformed';
import type { Endorsements } from './enclave';
import type { FamilyAnswer } from './family';

const ANSWERS_MAX = 8;
const ENDORSEMENTS_MAX = 64;

/** Members that the gateway adds to the specified report if the report family needs them. */
export interface ServedAnswers {
  /** Provider's answers as text, byte for byte. Null if the report's own members suffice. */
  provider_answers: readonly string[] | null;
  /** Endorsements of the provider's hardware. Null if `provider_answers` is null. */
  provider_endorsements: {
    tdx_collateral: readonly unknown[];
    nvidia_verdicts: readonly unknown[];
    nvidia_keys: readonly unknown[];
    nvidia_fault: string | null;
  } | null;
}

/**
 * Parses a provider's answer; null if it is not a JSON object.
 *
 * @throws {Malformed} if the answer is too long, too deep or too large
 */
export function providerAnswer(text: string): FamilyAnswer | null {
  const json = parsed(text);
  assertBoundedJson(json, 'report');
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { json: json as JsonObject, text } : null;
}

/** Returns the provider's answers in the gateway's report, or null. */
export function servedAnswers(
  report: unknown,
): { answers: () => readonly FamilyAnswer[]; endorsements: Endorsements } | null {
  const { provider_answers: texts, provider_endorsements: said } = recordOf(report);
  if (texts == null) return null;
  const {
    tdx_collateral: collateral,
    nvidia_verdicts: verdicts,
    nvidia_keys: keys,
    nvidia_fault: fault,
  } = recordOf(said);
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
      if (answer === null) throw new Malformed(`provider_answers[${index}] is not a JSON object.`);
      return answer;
    });
  return { answers, endorsements };
}

/** Returns the collateral in the provider's answers, as unvalidated JSON. */
export function broughtCollateral(answers: readonly FamilyAnswer[]): unknown[] {
  return answers.flatMap(({ json }) => (json['collateral'] == null ? [] : [json['collateral']]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

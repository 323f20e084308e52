import { type Check, CheckList, NotCheckable } from '../tee/check-list';
import { Malformed } from '../tee/malformed';
import type { ClaimedEnclave, EnclaveVerdict, EnclaveVerdictName, Endorsements } from './enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from './family';
import { familyOf } from './families';
import type { EnclavePolicy } from './policy';
import { type ExpectedReport, gpuNonceOf, openEnclave, verifyEnclave } from './verify-enclave';

/**
 * Input of the verifier, which handles reports of any family. The family's adapter (`families`) parses a provider's
 * answers into enclaves with claims (`enclave.ts`). The verifier uses no clock, network or storage, so browsers, Node
 * and the gateway reach the same verdict.
 */
export interface ReportCheckInput {
  /** If this function throws, the report fails. */
  answers: () => readonly FamilyAnswer[];
  endorsements: Endorsements;
  expected: ExpectedReport;
  policy: EnclavePolicy;
  nowMs: number;
}

export interface ReportVerdict {
  /** Worst verdict among the model instance that a client would use and the enclaves in front of that instance. */
  verdict: EnclaveVerdictName;
  /** Reason as a sentence that identifies the faulty enclave. */
  reason: string | null;
  /** Report family; null if none matches. */
  family: string | null;
  checks: readonly Check<'report-format'>[];
  enclaves: readonly EnclaveVerdict[];
  checkedAtMs: number;
}

/**
 * Verifies a provider's answers: detects the family, parses the answers, and checks every enclave. Never rejects.
 *
 * If the verdict is neither `failed` nor `not-checkable`, this holds for each used enclave: a pinned root certified the
 * hardware, or a simulator's root certified the simulated hardware; the TCB satisfies the policy; debug mode is off;
 * the quote contains the requested nonce and the enclave's keys.
 */
export async function verifyReport({
  answers,
  endorsements,
  expected,
  policy,
  nowMs,
}: ReportCheckInput): Promise<ReportVerdict> {
  const whole = new CheckList<'report-format'>();
  const read = await whole.make('report-format', 'The answer is a report of a supported family', () => {
    const { family, enclaves } = readEnclaves(answers());
    return { established: { family, enclaves }, evidence: { family, enclaves: enclaves.length } };
  });
  if (read === undefined)
    return {
      verdict: whole.checks[0]?.outcome === 'not-checkable' ? 'not-checkable' : 'failed',
      reason: whole.checks[0]?.reason ?? null,
      family: null,
      checks: whole.checks,
      enclaves: [],
      checkedAtMs: nowMs,
    };
  const context = { endorsements, policy, nowMs };
  const opened = [];
  for (const claim of read.enclaves) opened.push(await openEnclave(claim, context));
  const gpuNonces = opened.map(gpuNonceOf);
  const enclaves: EnclaveVerdict[] = [];
  for (const [index, each] of opened.entries())
    enclaves.push(
      await verifyEnclave(
        each,
        expected,
        context,
        gpuNonces.filter((nonce, other) => nonce !== null && other !== index) as string[],
      ),
    );
  const { verdict, reason, used } = together(enclaves);
  return {
    verdict,
    reason,
    family: read.family,
    checks: whole.checks,
    enclaves: enclaves.map((enclave) => ({ ...enclave, isUsed: used.includes(enclave) })),
    checkedAtMs: nowMs,
  };
}

function readEnclaves(answers: readonly FamilyAnswer[]): { family: string; enclaves: ClaimedEnclave[] } {
  if (answers.length === 0) throw new NotCheckable('There is no report.');
  const adapter: FamilyAdapter | undefined = familyOf(answers);
  if (adapter === undefined) throw new Malformed('The answer is not a report of a supported family.');
  const enclaves = adapter.enclavesOf(answers);
  if (enclaves.length > ENCLAVES_MAX) throw new Malformed(`The report has more than ${ENCLAVES_MAX} enclaves.`);
  if (enclaves.length === 0) throw new Malformed('The report has no enclave.');
  return { family: adapter.family, enclaves };
}

/** Best to worst. */
const ORDER: readonly EnclaveVerdictName[] = ['verified', 'unknown-workload', 'simulated', 'not-checkable', 'failed'];

/**
 * Combines the verdicts of all enclaves. A client would use the usable model instance with the best verdict. The result
 * is the worst verdict among that instance and the enclaves in front of it. A forged instance fails the whole report,
 * because the forger could decide which instance a client gets.
 */
function together(enclaves: readonly EnclaveVerdict[]): {
  verdict: EnclaveVerdictName;
  reason: string | null;
  used: readonly EnclaveVerdict[];
} {
  const passed = enclaves.filter(({ role }) => role !== 'model');
  const instances = enclaves.filter(({ role, unusable }) => role === 'model' && unusable === null);
  const chosen = instances.find(isForged) ?? byVerdict(instances)[0];
  if (chosen === undefined && passed.length === 0)
    return {
      verdict: 'not-checkable',
      reason: enclaves.find(({ unusable }) => unusable !== null)?.unusable ?? null,
      used: [],
    };
  if (chosen === undefined && enclaves.some(({ role }) => role === 'model'))
    return { verdict: 'not-checkable', reason: 'No instance of the model could be used.', used: passed };
  const used = chosen === undefined ? passed : [...passed, chosen];
  const worst = byVerdict(used).at(-1) as EnclaveVerdict;
  return {
    verdict: worst.verdict,
    reason: worst.reason === null ? null : `${titleOf(worst, enclaves.length)}${worst.reason}`,
    used,
  };
}

function byVerdict(enclaves: readonly EnclaveVerdict[]): EnclaveVerdict[] {
  return [...enclaves].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
}

function isForged({ verdict, checks }: EnclaveVerdict): boolean {
  return (
    verdict === 'failed' &&
    checks.some(({ id, outcome }) => outcome === 'failed' && id !== 'tcb-status' && id !== 'workload')
  );
}

function titleOf({ role, name }: EnclaveVerdict, count: number): string {
  return count < 2 ? '' : `${role}${name === null ? '' : ` ${name}`}: `;
}

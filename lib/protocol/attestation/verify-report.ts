import { type Check, CheckList, NotCheckable } from '../tee/check-list';
import { Malformed } from '../tee/malformed';
import type { ClaimedEnclave, EnclaveVerdict, EnclaveVerdictName } from './enclave';
import type { Endorsements } from './endorsements';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from './family';
import { familyOf } from './families';
import type { EnclavePolicy } from './policy';
import { type ExpectedReport, gpuNonceOf, openEnclave, verifyEnclave } from './verify-enclave';

/** What is asked of the verifier. */
export interface ReportQuestion {
  /** What the provider answered. What it throws fails the report as a whole. */
  answers: () => readonly FamilyAnswer[];
  endorsements: Endorsements;
  expected: ExpectedReport;
  policy: EnclavePolicy;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** What came of a report: of each enclave, and of all together. */
export interface ReportVerdict {
  /** As bad as the worst enclave in front of the model, and as the instance of the model that would be used. */
  verdict: EnclaveVerdictName;
  /** In a sentence, with the enclave that is at fault; null where nothing is. */
  reason: string | null;
  /** Null where the answers are of no family that is known. */
  family: string | null;
  /** Checks of the report as a whole. */
  checks: readonly Check<'report-format'>[];
  /** In the order of the report. */
  enclaves: readonly EnclaveVerdict[];
  checkedAtMs: number;
}

/**
 * Verifies what a provider answered: reads it by the family that its shape tells, and checks every enclave by itself. It
 * reads no clock, opens no connection, and believes nothing that the answers say of themselves. It never rejects.
 *
 * A verdict other than failed and not-checkable means that every enclave on the way to the model, and the instance that
 * would be used, is genuine hardware under a pinned root, in a state that the policy accepts, without debug, which
 * answered this nonce and speaks for its keys.
 */
export async function verifyReport({
  answers,
  endorsements,
  expected,
  policy,
  nowMs,
}: ReportQuestion): Promise<ReportVerdict> {
  const whole = new CheckList<'report-format'>();
  const read = await whole.make('report-format', 'The answer is a report of a family that is known', () => {
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
  if (adapter === undefined) throw new Malformed('The answer is of no family of reports that is known here.');
  const enclaves = adapter.enclavesOf(answers);
  if (enclaves.length > ENCLAVES_MAX) throw new Malformed(`The report has more than ${ENCLAVES_MAX} enclaves.`);
  if (enclaves.length === 0) throw new Malformed('The report is of no enclave.');
  return { family: adapter.family, enclaves };
}

/** From the best to the worst. */
const ORDER: readonly EnclaveVerdictName[] = ['verified', 'unknown-workload', 'simulated', 'not-checkable', 'failed'];

/**
 * The verdict of all: the worst of those that every prompt passes, and of the instances of the model the one that would
 * be used. Instances without a key are never used. One whose evidence does not hold condemns the rest, since who forges
 * one decides to which a client is led; one that is only too old for the policy, or that cannot be checked, is passed over.
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

/** Whether something else failed than the age of the platform. */
function isForged({ verdict, checks }: EnclaveVerdict): boolean {
  return (
    verdict === 'failed' &&
    checks.some(({ id, outcome }) => outcome === 'failed' && id !== 'tcb-status' && id !== 'workload')
  );
}

function titleOf({ role, name }: EnclaveVerdict, count: number): string {
  return count < 2 ? '' : `${role}${name === null ? '' : ` ${name}`}: `;
}

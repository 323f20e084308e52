import { Malformed } from './malformed';
import { Untrusted } from './x509/chain';

/** The checks of an attestation, in the order in which they are made and shown. */
export const CHECK_IDS = [
  'quote-format',
  'certificate-chain',
  'certificate-validity',
  'revocation',
  'tcb-info',
  'qe-identity',
  'quoting-enclave',
  'quote-signature',
  'tcb-status',
  'tdx-module',
  'debug-off',
  'nonce',
  'model',
  'signing-key',
  'event-log',
  'compose-file',
  'workload',
  'gpu-evidence',
  'gpu',
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/** What was looked at, for people: a label and its value. */
export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export type CheckOutcome = 'passed' | 'failed' | 'not-checkable';

/** One check: what it was about, how it ended, what it saw, and why it did not pass. */
export interface Check<Id extends string = CheckId> {
  id: Id;
  title: string;
  outcome: CheckOutcome;
  evidence: Evidence;
  /** Null where it passed. */
  reason: string | null;
}

/** What a check that passes gives. */
export interface CheckResult<T> {
  evidence: Evidence;
  established: T;
}

/** Ends a check as failed. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message);
  }
}

/** Ends a check as one that cannot be made: something it needs is not there. */
export class NotCheckable extends Error {
  override readonly name = 'NotCheckable';

  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message);
  }
}

/** Where checks are made. A list that takes more ids than these stands for it as well. */
export interface CheckMaker<Id extends string> {
  make<T>(id: Id, title: string, check: () => CheckResult<T> | Promise<CheckResult<T>>): Promise<T | undefined>;
}

/**
 * Makes checks one after the other and keeps what came of each. A check passes only by returning; whatever it
 * throws, an unforeseen error included, is not a pass. Await each before the next: the list is in the order of their ends.
 */
export class CheckList<Id extends string = CheckId> implements CheckMaker<Id> {
  readonly checks: Check<Id>[] = [];

  /** Makes a check. @returns what it established, or undefined where it did not pass */
  async make<T>(id: Id, title: string, check: () => CheckResult<T> | Promise<CheckResult<T>>): Promise<T | undefined> {
    await letOthersRun();
    try {
      const { evidence, established } = await check();
      this.checks.push({ id, title, outcome: 'passed', evidence, reason: null });
      return established;
    } catch (error) {
      this.checks.push({ id, title, ...outcomeOf(error) });
      return undefined;
    }
  }
}

/**
 * Lets a page answer whoever touches it between two checks, which together would hold a phone for a tenth of a second.
 * Elsewhere than in a browser, and in one that has no `scheduler.yield` yet, it does nothing.
 */
function letOthersRun(): Promise<void> | undefined {
  return (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler?.yield?.();
}

/** What an earlier check established. @throws {NotCheckable} where that check did not pass */
export function established<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotCheckable(`An earlier check failed, so there is no ${what} to look at.`);
  return value;
}

function outcomeOf(error: unknown): Pick<Check<string>, 'outcome' | 'evidence' | 'reason'> {
  if (error instanceof NotCheckable)
    return { outcome: 'not-checkable', evidence: error.evidence, reason: error.message };
  if (error instanceof CheckFailed) return { outcome: 'failed', evidence: error.evidence, reason: error.message };
  if (error instanceof Malformed || error instanceof Untrusted)
    return { outcome: 'failed', evidence: {}, reason: error.message };
  return { outcome: 'failed', evidence: {}, reason: 'The check could not be made to its end.' };
}

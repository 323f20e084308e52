import { Malformed } from './malformed';
import { Untrusted } from './x509/chain';

/** Ids of an attestation's checks, in the order of execution and display. */
const CHECK_IDS = [
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

export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export type CheckOutcome = 'passed' | 'failed' | 'not-checkable';

/** Outcome of a check, with evidence and the reason for not passing. */
export interface Check<Id extends string = CheckId> {
  id: Id;
  title: string;
  outcome: CheckOutcome;
  evidence: Evidence;
  /** Null if the check passed. */
  reason: string | null;
}

export interface CheckResult<T> {
  evidence: Evidence;
  established: T;
}

export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message);
  }
}

/** Thrown if a check cannot decide. */
export class NotCheckable extends Error {
  override readonly name = 'NotCheckable';

  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message);
  }
}

export function notLoaded(): NotCheckable {
  return new NotCheckable('The code for this check could not be loaded.');
}

/** `CheckList` without access to the list of checks. */
export interface CheckMaker<Id extends string> {
  make<T>(id: Id, title: string, check: () => CheckResult<T> | Promise<CheckResult<T>>): Promise<T | undefined>;
}

/** Runs checks. Records outcomes as checks complete, so callers must await each check to keep the order. */
export class CheckList<Id extends string = CheckId> implements CheckMaker<Id> {
  readonly checks: Check<Id>[] = [];

  /** @returns result of the check, or undefined if it did not pass */
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
 * Yields to other tasks, because two checks in a row block a phone for a tenth of a second. Does nothing without
 * `scheduler.yield`.
 */
function letOthersRun(): Promise<void> | undefined {
  return (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler?.yield?.();
}

/**
 * Returns the result of an earlier check.
 *
 * @throws {NotCheckable} if that check did not pass
 */
export function established<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotCheckable(`An earlier check failed, so the ${what} could not be checked.`);
  return value;
}

function outcomeOf(error: unknown): Pick<Check<string>, 'outcome' | 'evidence' | 'reason'> {
  if (error instanceof NotCheckable)
    return { outcome: 'not-checkable', evidence: error.evidence, reason: error.message };
  if (error instanceof CheckFailed) return { outcome: 'failed', evidence: error.evidence, reason: error.message };
  if (error instanceof Malformed || error instanceof Untrusted)
    return { outcome: 'failed', evidence: {}, reason: error.message };
  return { outcome: 'failed', evidence: {}, reason: 'The check could not be completed.' };
}

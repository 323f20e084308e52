import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { formatUsd } from '@/lib/protocol/pricing';
import type { Database } from '../../db/schema';
import { dueWithdrawals, freeWithdrawals, leaseWithdrawal, leaveWithdrawal } from '../../db/withdrawal-leases';
import {
  endWithdrawal,
  failWithdrawal,
  markWithdrawalSubmitted,
  noteWithdrawal,
  readWithdrawal,
  renewWithdrawal,
  type Withdrawal,
  type WithdrawalNote,
} from '../../db/withdrawals';
import { lookAgainAfterMs, resubmitAfterMs } from '../payment-pace';
import type { Finding, Possible } from '../rail';
import type { Payout, PayoutFinding } from './payout';

export interface WithdrawalRunsOptions {
  db: Database;
  log: Logger;
  /** True if no other process uses this store. If so, the leases of earlier processes are freed. */
  exclusive: boolean;
  owner: string;
  resumeIntervalMs: number;
  now: () => number;
}

const LEASE_MS = 60_000;
const DUE_MAX = 200;

/**
 * Advances each recorded withdrawal until its money has arrived or is credited back. Only one process at a time works
 * on a withdrawal.
 */
export class WithdrawalRuns {
  #tail: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #sooner: NodeJS.Timeout | null = null;
  #isResuming = false;
  #isClosed = false;

  constructor(
    private readonly find: (network: string, asset: string) => Payout | undefined,
    private readonly options: WithdrawalRunsOptions,
  ) {}

  async start(): Promise<void> {
    const { db, exclusive, resumeIntervalMs, now } = this.options;
    if (exclusive) await freeWithdrawals(db, now());
    void this.resume();
    this.#timer = setInterval(() => void this.resume(), resumeIntervalMs);
    this.#timer.unref();
  }

  /** Waits up to `withinMs` for the running step. After the next start, the gateway resumes open withdrawals. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#sooner) clearTimeout(this.#sooner);
    await Promise.race([this.#tail, sleep(withinMs, undefined, { ref: false })]);
  }

  /** Resumes withdrawals whose next step is due, one after the other. Never throws. */
  async resume(): Promise<void> {
    if (this.#isResuming) return;
    this.#isResuming = true;
    try {
      for (const id of await dueWithdrawals(this.options.db, DUE_MAX, this.options.now())) await this.advance(id);
    } catch (error) {
      this.options.log.warn({ err: error }, 'resuming pending withdrawals failed');
    } finally {
      this.#isResuming = false;
    }
  }

  /** Takes the next step of a withdrawal. Steps that were requested earlier run first. Never throws. */
  advance(id: string): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      if (this.#isClosed) return;
      try {
        await this.#step(id);
      } catch (error) {
        this.options.log.warn({ err: error, withdrawalId: id }, 'processing a withdrawal failed and will be retried');
      }
    });
    return this.#tail;
  }

  async #step(id: string): Promise<void> {
    const { db, owner, now } = this.options;
    const withdrawal = await leaseWithdrawal(db, id, owner, LEASE_MS, now());
    if (!withdrawal) return;
    let left: Possible | null = null;
    try {
      left = await this.#take(withdrawal);
    } finally {
      await leaveWithdrawal(db, id, owner, now() + (left?.lookAgainInMs ?? lookAgainAfterMs(withdrawal, now())));
    }
    if (left?.lookAgainInMs !== undefined) this.#resumeIn(left.lookAgainInMs);
  }

  #resumeIn(ms: number): void {
    if (this.#sooner || this.#isClosed || !this.#timer || ms >= this.options.resumeIntervalMs) return;
    this.#sooner = setTimeout(() => {
      this.#sooner = null;
      void this.resume();
    }, ms);
    this.#sooner.unref();
  }

  /**
   * @returns what the chain shows about a withdrawal that stays open; null if the withdrawal has ended @throws
   * ChainUnreachable
   */
  async #take(withdrawal: Withdrawal): Promise<Possible | null> {
    const { db, now } = this.options;
    const payout = this.find(withdrawal.network, withdrawal.asset);
    if (!payout) {
      const note = `This gateway no longer pays out ${withdrawal.asset} on ${withdrawal.network}. The withdrawal continues when the operator configures it again.`;
      return this.#keep(withdrawal, { outcome: 'possible', note });
    }
    // An earlier attempt that got no answer may have paid.
    const before = await payout.look(withdrawal);
    if (before.outcome !== 'possible') return this.#conclude(withdrawal, payout, before);
    if (!maySubmit(withdrawal, before, now())) return this.#keep(withdrawal, before);
    const error = await this.#submit(withdrawal, payout);
    const submitted = await readWithdrawal(db, withdrawal.id);
    const after = await payout.look(submitted);
    return after.outcome === 'possible'
      ? this.#keep(submitted, after, error)
      : this.#conclude(submitted, payout, after);
  }

  async #submit(withdrawal: Withdrawal, payout: Payout): Promise<string | null> {
    const { db, log, now } = this.options;
    await markWithdrawalSubmitted(db, withdrawal.id, now());
    try {
      await payout.submit(withdrawal, {
        onTransaction: (transaction_id) => noteWithdrawal(db, withdrawal.id, { transaction_id }),
      });
      return null;
    } catch (error) {
      log.warn({ err: error, withdrawalId: withdrawal.id, network: withdrawal.network }, 'sending a withdrawal failed');
      return error instanceof Error ? error.message.slice(0, 500) : 'The withdrawal could not be sent.';
    }
  }

  async #keep(withdrawal: Withdrawal, finding: Possible, error: string | null = withdrawal.error): Promise<Possible> {
    const { searched_to, waits_for, error: knownError } = withdrawal;
    const { note, searchedTo = searched_to } = finding;
    const known: WithdrawalNote = { error: knownError, waits_for, searched_to };
    const learned: WithdrawalNote = { error: note === null ? error : null, waits_for: note, searched_to: searchedTo };
    if (JSON.stringify(known) !== JSON.stringify(learned))
      await noteWithdrawal(this.options.db, withdrawal.id, learned);
    return finding;
  }

  /** Ends a withdrawal. If only its transfer has expired, replaces the transfer instead. */
  async #conclude(
    withdrawal: Withdrawal,
    payout: Payout,
    finding: Exclude<PayoutFinding, Possible>,
  ): Promise<Possible | null> {
    if (finding.outcome !== 'lapsed') return this.#end(withdrawal, finding);
    const { db, log, now } = this.options;
    const { id, identity, wallet, payout_units: units, content, expires_at: expiresAt } = withdrawal;
    if (now() > expiresAt) return this.#end(withdrawal, { ...finding, outcome: 'impossible' });
    try {
      await renewWithdrawal(db, id, content, await payout.sign(wallet, BigInt(units), identity));
      return { outcome: 'possible', note: null, lookAgainInMs: 0 };
    } catch (error) {
      log.warn({ err: error, withdrawalId: id }, "replacing a withdrawal's expired transfer failed");
      const reason = error instanceof Error ? error.message.slice(0, 500) : null;
      return this.#keep(withdrawal, { outcome: 'possible', note: null, isSubmittable: false }, reason);
    }
  }

  async #end(withdrawal: Withdrawal, finding: Exclude<Finding, Possible>): Promise<null> {
    const { db, log, now } = this.options;
    const { id: withdrawalId, network, wallet, amount } = withdrawal;
    const about = { withdrawalId, network, wallet, amountUsd: formatUsd(amount, 6) };
    if (finding.outcome === 'paid') {
      await endWithdrawal(db, withdrawalId, finding.transactionId, now());
      log.info({ ...about, transaction: finding.transactionId }, 'withdrawal sent');
    } else {
      await failWithdrawal(db, withdrawal, finding.reason, now());
      log.warn({ ...about, reason: finding.reason }, 'withdrawal failed and was credited back');
    }
    return null;
  }
}

function maySubmit(
  { state, attempts, tried_at: triedAt }: Withdrawal,
  { isSubmittable = true }: Possible,
  now: number,
): boolean {
  if (!isSubmittable) return false;
  return state === 'debited' || triedAt === null || Math.abs(now - triedAt) >= resubmitAfterMs(attempts);
}

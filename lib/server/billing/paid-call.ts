import type { Logger } from 'pino';
import { type ApiError, isApiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import { type Awaitable, type IdentifiedCaller, NO_ACCOUNT } from '../auth/caller';
import type { PaymentChallenge } from '../auth/payment-challenge';
import { byteLengthOf, bytesOf, type Call, type WholeBody } from '../http/call';
import type { DailyAllocations } from './allocation/daily-allocations';
import type { Charge, Meter, Refusal, Reservation, Settled } from './meter';
import type { ChargeTally } from './billing-metrics';
import type { OpenCalls } from './open-calls';
import { KeptStream, type ReplayBody, SMALL_ANSWER_BYTES } from './stored-answers';
import { balanceError, refusalError } from './refusal-error';
import type { AccountBalance } from './usage/read-balance';

/** If a caller cannot pay, the gateway reads at most this many bytes of the request, to quote a price. */
const UNPAID_BYTES_MAX = 65_536;
const CHECKPOINT_INTERVAL_MS = 10_000;

const BALANCE_DECIMALS = 6;
const NANO_PER_LAST_PLACE = 1_000;

export interface PaidCallSettings {
  meter: Meter;
  openCalls: OpenCalls;
  charges: ChargeTally;
  allocations: DailyAllocations;
  challenge: Pick<PaymentChallenge, 'insufficientBalance' | 'discovery' | 'paymentTooSmall'>;
  keptAnswerBytesMax: number;
  balanceOf: (accountId: number) => Promise<AccountBalance>;
  now: () => number;
  log: Logger;
}

export type Purchase = Omit<Charge, 'requestId'>;

/**
 * One paid call, from the identification of its caller until the call is settled or released. Settles at most once. The
 * body of a streamed answer may take over the call and settle it later.
 */
export class PaidCall {
  /** The caller's balances minus all holds. Set on admission. */
  remainingNanoUsd = 0;
  #reservation: Reservation | null = null;
  #isOpen = false;
  #isTakenOver = false;
  #lease: NodeJS.Timeout | undefined;
  #soFar: (() => Purchase) | null = null;
  #charge: Purchase | null = null;
  #tellsBalance = true;

  constructor(
    readonly call: Call,
    readonly caller: IdentifiedCaller,
    /** Amount that the caller could spend when identified; Infinity if unknown. */
    readonly spendableNanoUsd: number,
    private readonly settings: PaidCallSettings,
    readonly paymentId: string | null = null,
  ) {}

  /** Identifies the caller to an upstream's queue, in which callers take turns. */
  get turn(): { caller: number; whenGone: Call['whenGone'] } {
    return { caller: this.caller.accountId, whenGone: this.call.whenGone };
  }

  get charge(): Purchase | null {
    return this.#charge;
  }

  /**
   * Reads the body. For a caller who cannot pay, reads only enough to quote a price.
   * @throws ApiError BODY_TOO_LARGE; 402 without a price if the caller also cannot pay
   */
  readBody(bytesMax: number): Awaitable<Uint8Array> {
    return this.spendableNanoUsd > 0 ? this.call.readBody(bytesMax) : this.#readUnpaid(bytesMax);
  }

  /** Reads the body in parts. The service must limit what it stores for callers who cannot pay. */
  streamBody(bytesMax: number): AsyncIterable<Uint8Array> {
    return this.call.streamBody(bytesMax);
  }

  header(name: string): string | null {
    return this.call.header(name);
  }

  spendable(): Awaitable<number> {
    return spendableOf(this.caller, this.settings);
  }

  /**
   * Hides the balance in this call's answer. Required if a recorded payment is the only credential, because anyone can
   * rebuild the payment's header from on-chain data.
   */
  withholdBalance(): void {
    this.#tellsBalance = false;
  }

  admit(reservation: Reservation, remainingNanoUsd: number): void {
    this.#reservation = reservation;
    this.#isOpen = true;
    this.settings.openCalls.begin(this.caller.accountId);
    this.call.record.opened();
    this.remainingNanoUsd = remainingNanoUsd;
  }

  /** True if the call has an idempotency key or a payment, so that its answer is stored. */
  get isKept(): boolean {
    return this.#admitted().request.idempotency !== null;
  }

  /** Returns the answer's bytes to store; null if the answer is not stored. */
  replayOf(body: WholeBody): ReplayBody | null {
    if (!this.isKept) return null;
    return byteLengthOf(body) > this.#keptBytesMax ? 'too-large' : bytesOf(body);
  }

  keptStream(): KeptStream | null {
    return this.isKept ? new KeptStream(this.#keptBytesMax) : null;
  }

  /**
   * Charges the call. Resolves with the remaining balance once the charge is committed.
   * @throws ChargeRefused (see `Meter.settle`)
   */
  settle(purchase: Purchase): Promise<Settled> {
    this.#ended();
    const settling = this.settings.meter.settle(this.#admitted(), this.#chargeOf(purchase));
    // The answer does not wait for the request record and the metrics.
    settling.then(
      () => this.#charged(purchase),
      () => this.call.record.closed(),
    );
    return settling;
  }

  /** Frees the hold without charge. Does nothing after settle or release. */
  release(): Awaitable<void> {
    // If `settle` has run, its own handlers close the record.
    if (this.#isOpen) this.call.record.closed();
    this.#ended();
    return this.settings.meter.release(this.#admitted());
  }

  /**
   * Renews the lease, and writes checkpoints, which are charged if this process dies. A later `keepAlive` replaces the
   * earlier one.
   * @param soFar returns the purchase up to now
   * @returns a function that stops the renewal
   */
  keepAlive(soFar: () => Purchase): () => void {
    this.#soFar = soFar;
    this.#lease ??= setInterval(() => this.#checkpoint(), CHECKPOINT_INTERVAL_MS);
    return () => {
      if (this.#soFar !== soFar) return;
      clearInterval(this.#lease);
      this.#lease = undefined;
      this.#soFar = null;
    };
  }

  /** Lets the answer's body settle or release the call. */
  takeOver(): void {
    this.#isTakenOver = true;
  }

  get isTakenOver(): boolean {
    return this.#isTakenOver;
  }

  /** Builds the error for a call that was not admitted. Tells wallets how to top up. */
  async refused(refusal: Refusal, costNanoUsd: number): Promise<ApiError> {
    return refusal.reason === 'balance'
      ? this.tooLittle(refusal.spendableNanoUsd, costNanoUsd)
      : refusalError(
          refusal,
          costNanoUsd,
          this.settings.now(),
          this.paymentId === null ? 'Idempotency-Key' : 'payment',
        );
  }

  /** Builds the 402 for a caller who cannot pay. @param costNanoUsd maximum cost of the call; null if unknown */
  async tooLittle(spendableNanoUsd: number, costNanoUsd: number | null): Promise<ApiError> {
    if (!this.#tellsBalance) return this.settings.challenge.discovery(this.call, costNanoUsd);
    if (this.caller.wallet !== null)
      return this.settings.challenge.insufficientBalance(this.call, spendableNanoUsd, costNanoUsd);
    if (this.caller.accountId === NO_ACCOUNT) return balanceError(spendableNanoUsd, costNanoUsd);
    const { pots } = await this.settings.balanceOf(this.caller.accountId);
    return balanceError(spendableNanoUsd, costNanoUsd, { pots, spendsPrepaid: this.caller.purse === 'all' });
  }

  /** Returns X-Balance-Remaining in USD, rounded down. Only for callers that proved ownership of the wallet. */
  balanceHeader(remainingNanoUsd: number): Record<string, string> {
    if (this.caller.wallet === null || !this.#tellsBalance) return {};
    return {
      'x-balance-remaining': formatUsd(remainingNanoUsd - (remainingNanoUsd % NANO_PER_LAST_PLACE), BALANCE_DECIMALS),
    };
  }

  settledHeaders({ remainingNanoUsd, isUnkept }: Settled): Record<string, string> {
    const balance = this.balanceHeader(remainingNanoUsd);
    return isUnkept ? { ...balance, 'idempotency-stored': 'false' } : balance;
  }

  async #readUnpaid(bytesMax: number): Promise<Uint8Array> {
    try {
      return await this.call.readBody(Math.min(UNPAID_BYTES_MAX, bytesMax));
    } catch (error) {
      throw isApiError(error) && error.code === 'BODY_TOO_LARGE' ? await this.tooLittle(0, null) : error;
    }
  }

  #checkpoint(): void {
    if (this.#soFar === null) return;
    const { meter, log } = this.settings;
    Promise.resolve(meter.checkpoint(this.#admitted(), this.#chargeOf(this.#soFar()))).catch((error: unknown) => {
      log.warn({ err: error, requestId: this.call.requestId }, 'writing a checkpoint of a running call failed');
    });
  }

  #chargeOf({ amountNanoUsd, credits, units, resource, detail, replayBody }: Purchase): Charge {
    const { requestId } = this.call;
    return units === undefined
      ? { amountNanoUsd, credits, resource, detail, requestId, replayBody }
      : { amountNanoUsd, credits, units, resource, detail, requestId, replayBody };
  }

  get #keptBytesMax(): number {
    return Math.max(this.settings.keptAnswerBytesMax, SMALL_ANSWER_BYTES);
  }

  #charged(purchase: Purchase): void {
    this.#charge = purchase;
    this.settings.charges.add(purchase);
    this.call.record.costNanoUsd += purchase.amountNanoUsd;
    this.call.record.units += purchase.units ?? purchase.credits;
    this.call.record.closed();
  }

  #ended(): void {
    if (this.#isOpen) this.settings.openCalls.end(this.caller.accountId);
    this.#isOpen = false;
  }

  #admitted(): Reservation {
    if (this.#reservation === null) throw new Error('The call has not been admitted.');
    return this.#reservation;
  }
}

/**
 * Fixes the caller's allocation for today, and returns what the caller can spend in nano-USD; 0 for a wallet without an
 * account.
 */
export function spendableOf(
  caller: IdentifiedCaller,
  { meter, allocations }: Pick<PaidCallSettings, 'meter' | 'allocations'>,
): Awaitable<number> {
  if (caller.accountId === NO_ACCOUNT) return 0;
  const fixing = caller.purse !== 'x402' ? allocations.ensure(caller.accountId) : undefined;
  return fixing
    ? fixing.then(() => meter.spendable(caller, { willReserve: true }))
    : meter.spendable(caller, { willReserve: true });
}

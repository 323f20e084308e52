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
import { KeptStream } from './kept-stream';
import { type ReplayBody, SMALL_ANSWER_BYTES } from './keeping';
import { balanceError, refusalError } from './refusal-error';
import type { AccountBalance } from './usage/read-balance';

/** Read of a wallet that cannot pay, so as to tell it the price. */
const UNPAID_BYTES_MAX = 65_536;
/** Between two checkpoints: a fraction of a reservation's lease. */
const CHECKPOINT_INTERVAL_MS = 10_000;

const BALANCE_DECIMALS = 6;
const NANO_PER_LAST_PLACE = 1_000;

/** What a paid call works with. */
export interface PaidCallSettings {
  meter: Meter;
  openCalls: OpenCalls;
  charges: ChargeTally;
  allocations: DailyAllocations;
  challenge: Pick<PaymentChallenge, 'insufficientBalance' | 'discovery' | 'paymentTooSmall'>;
  /** Longest answer that is kept for a repetition of its request. */
  keptAnswerBytesMax: number;
  /** What an account has by pot, as it is committed. */
  balanceOf: (accountId: number) => Promise<AccountBalance>;
  now: () => number;
  log: Logger;
}

/** What was bought; the request's id is known already. */
export type Purchase = Omit<Charge, 'requestId'>;

/**
 * One call that is paid for, from the moment its caller is known until it is settled or released. Once it is admitted,
 * what it can cost at most is held; it is settled once at most, and whoever answers with a stream that settles later
 * takes it over.
 */
export class PaidCall {
  /** The caller's purse beside all that is held of it, once the call is admitted. */
  remainingNanoUsd = 0;
  #reservation: Reservation | null = null;
  #isOpen = false;
  #isTakenOver = false;
  /** Runs while somebody keeps the call alive. */
  #lease: NodeJS.Timeout | undefined;
  #soFar: (() => Purchase) | null = null;
  #tellsBalance = true;

  constructor(
    readonly call: Call,
    readonly caller: IdentifiedCaller,
    /** What the caller could spend when it was identified; infinite where that was not asked. */
    readonly spendableNanoUsd: number,
    private readonly settings: PaidCallSettings,
  ) {}

  /**
   * The body. Of a wallet that cannot pay only as much is read as tells it the price.
   * @throws ApiError BODY_TOO_LARGE; for such a wallet 402 without a price.
   */
  readBody(bytesMax: number): Awaitable<Uint8Array> {
    return this.spendableNanoUsd > 0 ? this.call.readBody(bytesMax) : this.#readUnpaid(bytesMax);
  }

  /** A request header, as `Call.header` gives it. */
  header(name: string): string | null {
    return this.call.header(name);
  }

  /** What the caller can spend now. */
  spendable(): Awaitable<number> {
    return spendableOf(this.caller, this.settings);
  }

  /**
   * Says nothing of the balance from here on. To be called where the payment is all that the caller has shown, and was
   * recorded before: it is on the chain by then, where its header can be rebuilt from.
   */
  withholdBalance(): void {
    this.#tellsBalance = false;
  }

  /** The call was admitted. */
  admit(reservation: Reservation, remainingNanoUsd: number): void {
    this.#reservation = reservation;
    this.#isOpen = true;
    this.settings.openCalls.begin(this.caller.accountId);
    this.call.record.opened();
    this.remainingNanoUsd = remainingNanoUsd;
  }

  /** Whether its answer is to be kept: it has an idempotency key, or a payment came with it. */
  get isKept(): boolean {
    return this.#admitted().request.idempotency !== null;
  }

  /** What is to be kept of a whole answer. What is larger than any answer that is kept is not even put together. */
  replayOf(body: WholeBody): ReplayBody | null {
    if (!this.isKept) return null;
    return byteLengthOf(body) > this.#keptBytesMax ? 'too-large' : bytesOf(body);
  }

  /** Where to note an answer that is sent as it is made; null where it is not kept. */
  keptStream(): KeptStream | null {
    return this.isKept ? new KeptStream(this.#keptBytesMax) : null;
  }

  /**
   * Charges it. Resolves once that is committed, with what the caller's purse has after it.
   * @throws ChargeRefused as `Meter.settle` does.
   */
  settle(purchase: Purchase): Promise<Settled> {
    this.#ended();
    const settling = this.settings.meter.settle(this.#admitted(), this.#chargeOf(purchase));
    // Beside it: whoever waits for the charge does not wait for its count.
    settling.then(
      () => this.#charged(purchase),
      () => this.call.record.closed(),
    );
    return settling;
  }

  /** Frees what is held, without charge. Settled or released before: no effect. */
  release(): Awaitable<void> {
    // Of one that is being settled, that is still to come.
    if (this.#isOpen) this.call.record.closed();
    this.#ended();
    return this.settings.meter.release(this.#admitted());
  }

  /**
   * Renews the lease of what is held while the call runs, and notes what it came to so far, which is charged if this
   * process dies. Whoever asks for it last says what that is: to stop means nothing once somebody else has gone on.
   * @param soFar what was bought until now
   * @returns how to stop
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

  /** The body of the answer settles or releases it from now on. */
  takeOver(): void {
    this.#isTakenOver = true;
  }

  get isTakenOver(): boolean {
    return this.#isTakenOver;
  }

  /**
   * The answer to a call that was not admitted, in the form for its caller: wallets are told how to top up.
   * @param costNanoUsd the most that it can cost.
   */
  async refused(refusal: Refusal, costNanoUsd: number): Promise<ApiError> {
    return refusal.reason === 'balance'
      ? this.tooLittle(refusal.spendableNanoUsd, costNanoUsd)
      : refusalError(refusal, costNanoUsd, this.settings.now());
  }

  /** 402 for a caller who cannot pay. @param costNanoUsd what was asked for; null where that is not known. */
  async tooLittle(spendableNanoUsd: number, costNanoUsd: number | null): Promise<ApiError> {
    if (!this.#tellsBalance) return this.settings.challenge.discovery(this.call, costNanoUsd);
    if (this.caller.wallet !== null)
      return this.settings.challenge.insufficientBalance(this.call, spendableNanoUsd, costNanoUsd);
    if (this.caller.accountId === NO_ACCOUNT) return balanceError(spendableNanoUsd, costNanoUsd);
    const { pots } = await this.settings.balanceOf(this.caller.accountId);
    return balanceError(spendableNanoUsd, costNanoUsd, { pots, spendsPrepaid: this.caller.purse === 'all' });
  }

  /** X-Balance-Remaining for callers who are known to be their wallet: USD, rounded down; no header for others. */
  balanceHeader(remainingNanoUsd: number): Record<string, string> {
    if (this.caller.wallet === null || !this.#tellsBalance) return {};
    return {
      'x-balance-remaining': formatUsd(remainingNanoUsd - (remainingNanoUsd % NANO_PER_LAST_PLACE), BALANCE_DECIMALS),
    };
  }

  /** Headers of an answer that is charged: what is left, and whether the answer could not be kept for a repetition. */
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
      log.warn({ err: error, requestId: this.call.requestId }, 'what a running call came to could not be noted');
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
    this.settings.charges.add(purchase);
    this.call.record.costNanoUsd += purchase.amountNanoUsd;
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
 * What a caller could spend at most, in nano-USD; a wallet without an account has nothing. As current as the meter's.
 * The daily allocation of whoever pays from an account's pots is fixed before, if it is not yet.
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

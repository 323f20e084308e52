import type { TurnpikeClientOptions } from '@/lib/client/exchange';
import { UnreachableError } from '@/lib/client/gateway-error';
import { followPayment, type PaymentOutcome, readPaymentOptions, type SignedPayment } from '@/lib/client/top-up';
import { CHAIN_PREFIXES } from '@/lib/protocol/chain-family';
import { formatUsd, type NanoUsd } from '@/lib/protocol/pricing';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Wallet } from './account/wallet';
import { type BudgetLimits, budgetExceeded, NANO_PER_BASE_UNIT, usdText } from './budget';
import { isKnownDollar, sandboxMoney } from './known-dollars';
import { SharedWork } from './shared-work';
import { TurnpikeError, turnpikeErrorOf } from './turnpike-error';
import { type EventListener, tell } from './turnpike-event';

const DAY_MS = 86_400_000;
/** How long a call waits for its payment. Chains take seconds; what takes longer is followed with the next call. */
const FOLLOW_MS = 180_000;
/** The longest that an authorization may be valid, seconds: what nobody settles must not hang over a wallet for ever. */
const VALID_SECONDS_MAX = 86_400;
/** The specification's, where a 402 does not say. */
const MINIMUM_NANO_USD = 5e9;

/** What the 402 of a call says, in nano-USD; null for what it does not. */
export interface MissingMoney {
  balanceNanoUsd: NanoUsd;
  /** The most that the call can cost. */
  callNanoUsd: NanoUsd | null;
  minimumNanoUsd: NanoUsd | null;
  /** What somebody chose to pay, instead of what the budget says. */
  chosenNanoUsd?: NanoUsd;
}

export type CreditedPayment = Extract<PaymentOutcome, { state: 'credited' }>;

interface WalletTopUpParts {
  wallet: Wallet;
  /** Without a credential: a payment is one. */
  connection: TurnpikeClientOptions;
  budget: BudgetLimits;
  allowedAssets: readonly string[];
  solanaRpcUrl: string | null;
  onEvent?: EventListener | undefined;
  now?: () => number;
  followMs?: number;
}

/**
 * Pays from a wallet into its balance, within a budget. One payment at a time: who needs money meanwhile waits for
 * the same one, and one that was signed is followed until it has ended before another is signed.
 */
export class WalletTopUp {
  readonly #paying = new SharedWork<CreditedPayment>();
  #spent: { atMs: number; nanoUsd: NanoUsd }[] = [];
  #unfinished: { payment: SignedPayment; entry: { atMs: number; nanoUsd: NanoUsd } } | null = null;
  #credits = 0;

  constructor(private readonly parts: WalletTopUpParts) {}

  /** How many top-ups were credited: a call that was refused before the last one can simply be sent again. */
  get credits(): number {
    return this.#credits;
  }

  /** What was paid, or is being paid, within the last 24 hours. */
  get spentNanoUsd(): NanoUsd {
    const since = (this.parts.now ?? Date.now)() - DAY_MS;
    this.#spent = this.#spent.filter(({ atMs }) => atMs > since);
    return this.#spent.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0);
  }

  /**
   * Makes one top-up, or joins the one that is under way.
   * @throws {TurnpikeError} before anything is signed where the budget, the terms or the listener forbid it; PAYMENT_PENDING where it takes long
   */
  make(missing: MissingMoney, signal?: AbortSignal | null): Promise<CreditedPayment> {
    return this.#paying.join(() => this.#followed(missing), signal);
  }

  async #followed(missing: MissingMoney): Promise<CreditedPayment> {
    // The one that was signed before may be all that it takes.
    this.#unfinished ??= await this.#signed(missing);
    const { payment, entry } = this.#unfinished;
    const outcome = await this.#follow(payment);
    this.#unfinished = null;
    if (outcome.state === 'refused') {
      this.#spent = this.#spent.filter((each) => each !== entry);
      throw new TurnpikeError('PAYMENT_REFUSED', { message: `The payment was refused: ${outcome.message}`, detail: { reason: outcome.reason, paymentId: outcome.paymentId } });
    }
    this.#credits++;
    const { paymentId, amountCreditedUsd: amountUsd, newBalanceUsd, network, transaction } = outcome;
    tell(this.parts.onEvent, { type: 'top-up-credited', paymentId, amountUsd, newBalanceUsd, network, transaction });
    return outcome;
  }

  async #follow(payment: SignedPayment): Promise<Exclude<PaymentOutcome, { state: 'pending' }>> {
    const { connection, onEvent, followMs = FOLLOW_MS } = this.parts;
    const limit = AbortSignal.timeout(followMs);
    try {
      return await followPayment(connection, payment, { signal: limit, onOutcome: (outcome) => tell(onEvent, { type: 'top-up-progress', outcome }) });
    } catch (error) {
      throw error instanceof UnreachableError && limit.aborted ? new TurnpikeError('PAYMENT_PENDING', { cause: error }) : turnpikeErrorOf(error);
    }
  }

  async #signed(missing: MissingMoney): Promise<{ payment: SignedPayment; entry: { atMs: number; nanoUsd: NanoUsd } }> {
    const { wallet, connection, onEvent, now = Date.now } = this.parts;
    const amountNanoUsd = this.#amount(missing);
    const sandbox = await sandboxMoney(connection);
    const accepted = await this.#terms(amountNanoUsd, sandbox?.assets ?? []);
    const from = await wallet.address();
    await approved(onEvent, { type: 'top-up-begins', amountUsd: amountNanoUsd / 1e9, network: accepted.network, asset: accepted.asset, payTo: accepted.payTo, from, spentTodayUsd: this.spentNanoUsd / 1e9 });
    const entry = { atMs: now(), nanoUsd: amountNanoUsd };
    this.#spent.push(entry);
    try {
      return { payment: await wallet.pay(accepted, { solanaRpcUrl: this.parts.solanaRpcUrl ?? sandbox?.solanaRpcUrl ?? null }), entry };
    } catch (error) {
      this.#spent = this.#spent.filter((each) => each !== entry);
      throw error;
    }
  }

  /** What to pay, where the budget allows it. @throws {TurnpikeError} BUDGET_EXCEEDED */
  #amount({ balanceNanoUsd, callNanoUsd, minimumNanoUsd, chosenNanoUsd }: MissingMoney): NanoUsd {
    const { perCallNanoUsd, perDayNanoUsd, topUpNanoUsd } = this.parts.budget;
    if (perCallNanoUsd !== null && callNanoUsd !== null && callNanoUsd > perCallNanoUsd) throw budgetExceeded('perCallUsd', perCallNanoUsd, callNanoUsd, 'The call can cost');
    const least = Math.max(minimumNanoUsd ?? MINIMUM_NANO_USD, wholeUnits((callNanoUsd ?? 0) - balanceNanoUsd));
    const amount = chosenNanoUsd ?? Math.max(least, topUpNanoUsd ?? 0);
    if (topUpNanoUsd !== null && amount > topUpNanoUsd) throw budgetExceeded('topUpUsd', topUpNanoUsd, amount, 'The top-up that this takes is');
    const spent = this.spentNanoUsd;
    if (spent + amount > perDayNanoUsd) throw budgetExceeded('perDayUsd', perDayNanoUsd, spent + amount, `With a top-up of ${usdText(amount)} USD those of 24 hours come to`);
    return amount;
  }

  /** What the gateway accepts for exactly this amount on a chain of the wallet. */
  async #terms(amountNanoUsd: NanoUsd, sandboxAssets: readonly string[]): Promise<PaymentRequirements> {
    const { wallet, connection, allowedAssets } = this.parts;
    const units = String(amountNanoUsd / NANO_PER_BASE_UNIT);
    const accepts = await readPaymentOptions(connection, formatUsd(amountNanoUsd, 6));
    const ofFamily = accepts.filter(({ scheme, network }) => scheme === 'exact' && network.startsWith(CHAIN_PREFIXES[wallet.family]));
    if (ofFamily.length === 0) throw new TurnpikeError('RAIL_MISSING', { detail: { networks: accepts.map(({ network }) => network) } });
    const accepted = ofFamily.find((entry) => isKnownDollar(entry, [...allowedAssets, ...sandboxAssets]));
    if (accepted === undefined) throw new TurnpikeError('ASSET_UNKNOWN', { detail: { assets: ofFamily.map(({ network, asset }) => `${network} ${asset}`) } });
    if (accepted.amount !== units) throw new TurnpikeError('TERMS_UNEXPECTED', { message: `The gateway asks for ${accepted.amount} base units where ${units} were to be paid.` });
    if (!(accepted.maxTimeoutSeconds > 0 && accepted.maxTimeoutSeconds <= VALID_SECONDS_MAX)) throw new TurnpikeError('TERMS_UNEXPECTED', { message: 'The gateway asks for an authorization that is valid for longer than a day.' });
    return accepted;
  }
}

/** Whole base units of USDC that are at least so much. */
function wholeUnits(nanoUsd: NanoUsd): NanoUsd {
  return Math.ceil(Math.max(nanoUsd, 0) / NANO_PER_BASE_UNIT) * NANO_PER_BASE_UNIT;
}

/** Tells of a top-up, and waits for whoever listens. @throws {TurnpikeError} TOP_UP_REFUSED */
async function approved(listener: EventListener | undefined, event: Parameters<EventListener>[0]): Promise<void> {
  try {
    await listener?.(event);
  } catch (cause) {
    throw new TurnpikeError('TOP_UP_REFUSED', { message: `The listener for events refused the top-up: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
  }
}

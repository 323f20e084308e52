import type { TurnpikeClientOptions } from '@/lib/client/exchange';
import { UnreachableError } from '@/lib/client/gateway-error';
import { followPayment, type PaymentOutcome, readPaymentOptions, type SignedPayment } from '@/lib/client/top-up';
import { CHAIN_PREFIXES } from '@/lib/protocol/wallet-address';
import { formatUsd, type NanoUsd } from '@/lib/protocol/pricing';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { otherAccount, type Wallet } from './account/wallet';
import { type BudgetLimits, budgetExceeded, NANO_PER_BASE_UNIT, usdText } from './budget';
import { isKnownDollar, sandboxSolanaUrl, type Token, tokenName } from './known-dollars';
import { SharedWork } from './shared-work';
import { type SignedAmount, SignedPayments } from './signed-payments';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import { type EventListener, tell } from './turnpike-event';

/** Longest wait of a call for a payment. The next call waits for the same payment. */
const FOLLOW_MS = 180_000;
const NAMED_MAX = 3;
/** The specification's minimum, used if no 402 states another. */
const MINIMUM_NANO_USD = 5e9;

/** Amounts in a 402 answer, in nano-USD; null if absent. */
export interface MissingMoney {
  balanceNanoUsd: NanoUsd;
  callNanoUsd: NanoUsd | null;
  minimumNanoUsd: NanoUsd | null;
}

/** Top-up that the customer requested directly. */
export interface ChosenTopUp {
  /** Overrides the budget's amount unless null. */
  chosenNanoUsd: NanoUsd | null;
}

export type CreditedPayment = Extract<PaymentOutcome, { state: 'credited' }>;

interface WalletTopUpParts {
  wallet: Wallet;
  /** Connection without a credential, because a payment needs none. */
  connection: TurnpikeClientOptions;
  budget: BudgetLimits;
  allowedAssets: readonly Token[];
  solanaRpcUrl: string | null;
  validSeconds: number;
  onEvent?: EventListener | undefined;
  now?: () => number;
  followMs?: number;
}

/**
 * Tops up a wallet's balance within a budget. Concurrent callers share one payment. Waits for a payment's outcome
 * before the wallet signs another.
 */
export class WalletTopUp {
  readonly #paying = new SharedWork<CreditedPayment>();
  readonly #signedPayments: SignedPayments;
  #unfinished: { payment: SignedPayment; amount: SignedAmount } | null = null;
  #credits = 0;

  constructor(private readonly parts: WalletTopUpParts) {
    this.#signedPayments = new SignedPayments(parts.now ?? Date.now);
  }

  /** Number of credited top-ups. After an increase, a refused call can be resent. */
  get credits(): number {
    return this.#credits;
  }

  get spentNanoUsd(): NanoUsd {
    return this.#signedPayments.spentNanoUsd;
  }

  /**
   * Makes one top-up, or joins the top-up in progress.
   *
   * @param payer default: the wallet's present account
   * @throws {TurnpikeError} before signing if the budget, the terms or the listener forbid it; PAYMENT_PENDING if the
   * payment takes more than three minutes
   */
  make(
    missing: MissingMoney | ChosenTopUp,
    signal?: AbortSignal | null,
    payer: string | null = null,
  ): Promise<CreditedPayment> {
    return this.#paying.join(() => withTypedErrors(() => this.#followed(missing, payer)), signal);
  }

  async #followed(missing: MissingMoney | ChosenTopUp, payer: string | null): Promise<CreditedPayment> {
    // An unfinished payment may be enough, so no other is signed.
    this.#unfinished ??= await this.#signed(missing, payer);
    const { payment, amount } = this.#unfinished;
    const outcome = await this.#follow(payment);
    this.#unfinished = null;
    if (outcome.state === 'refused') {
      amount.isRefused = true;
      throw new TurnpikeError('PAYMENT_REFUSED', {
        message: `The payment was refused: ${outcome.message}`,
        detail: { reason: outcome.reason, paymentId: outcome.paymentId },
      });
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
      return await followPayment(connection, payment, {
        signal: limit,
        onOutcome: (outcome) => tell(onEvent, { type: 'top-up-progress', outcome }),
      });
    } catch (error) {
      throw error instanceof UnreachableError && limit.aborted
        ? new TurnpikeError('PAYMENT_PENDING', { cause: error })
        : error;
    }
  }

  async #signed(
    missing: MissingMoney | ChosenTopUp,
    payer: string | null,
  ): Promise<{ payment: SignedPayment; amount: SignedAmount }> {
    const { wallet, connection, onEvent, validSeconds } = this.parts;
    const amountNanoUsd = await this.#amount(missing);
    const accepted = await this.#terms(amountNanoUsd);
    const from = await wallet.address();
    if (payer !== null && from !== payer) throw otherAccount(payer);
    if (accepted.extra['feePayer'] === from)
      throw new TurnpikeError('TERMS_UNEXPECTED', {
        message: 'The gateway asks the wallet to pay the transaction fee, which the gateway must pay.',
      });
    const { spentNanoUsd, refusedNanoUsd } = this.#signedPayments;
    await approved(onEvent, {
      type: 'top-up-begins',
      amountUsd: amountNanoUsd / 1e9,
      network: accepted.network,
      asset: accepted.asset,
      payTo: accepted.payTo,
      from,
      spentTodayUsd: spentNanoUsd / 1e9,
      refusedTodayUsd: refusedNanoUsd / 1e9,
    });
    const amount = this.#signedPayments.add(amountNanoUsd);
    try {
      const solanaRpcUrl = this.parts.solanaRpcUrl ?? sandboxSolanaUrl(accepted, connection.baseUrl);
      const { payment, executableUntilMs } = await wallet.pay(accepted, {
        from,
        solanaRpcUrl,
        validSeconds: Math.min(accepted.maxTimeoutSeconds, validSeconds),
      });
      amount.executableUntilMs = executableUntilMs;
      return { payment, amount };
    } catch (error) {
      this.#signedPayments.remove(amount);
      throw error;
    }
  }

  async #amount(missing: MissingMoney | ChosenTopUp): Promise<NanoUsd> {
    const { perDayNanoUsd, topUpNanoUsd } = this.parts.budget;
    const amount =
      'chosenNanoUsd' in missing
        ? (missing.chosenNanoUsd ?? Math.max(await this.#minimum(), topUpNanoUsd ?? 0))
        : this.#amountOfCall(missing);
    if (topUpNanoUsd !== null && amount > topUpNanoUsd)
      throw budgetExceeded('topUpUsd', topUpNanoUsd, amount, 'The top-up for this call would be');
    const { countedNanoUsd, refusedNanoUsd } = this.#signedPayments;
    if (countedNanoUsd + amount > perDayNanoUsd) {
      const refused =
        refusedNanoUsd === 0
          ? ''
          : ` (including ${usdText(refusedNanoUsd)} USD that the gateway refused but could still take)`;
      throw budgetExceeded(
        'perDayUsd',
        perDayNanoUsd,
        countedNanoUsd + amount,
        `With this top-up of ${usdText(amount)} USD, the top-ups within 24 hours${refused} would come to`,
      );
    }
    return amount;
  }

  /** Returns the amount for a call: at least the gateway's minimum, in whole base units. */
  #amountOfCall({ balanceNanoUsd, callNanoUsd, minimumNanoUsd }: MissingMoney): NanoUsd {
    const { perCallNanoUsd, topUpNanoUsd } = this.parts.budget;
    if (perCallNanoUsd !== null && callNanoUsd === null)
      throw new TurnpikeError('TERMS_UNEXPECTED', {
        message: 'The gateway does not state the maximum cost of the call, so perCallUsd cannot be checked.',
      });
    if (perCallNanoUsd !== null && callNanoUsd !== null && callNanoUsd > perCallNanoUsd)
      throw budgetExceeded('perCallUsd', perCallNanoUsd, callNanoUsd, 'The call can cost');
    return Math.max(
      wholeUnits(minimumNanoUsd ?? MINIMUM_NANO_USD),
      wholeUnits((callNanoUsd ?? 0) - balanceNanoUsd),
      topUpNanoUsd ?? 0,
    );
  }

  async #minimum(): Promise<NanoUsd> {
    const { amount } = await this.#terms();
    const nanoUsd = Number(amount) * NANO_PER_BASE_UNIT;
    if (!Number.isSafeInteger(nanoUsd))
      throw new TurnpikeError('TERMS_UNEXPECTED', {
        message: `The gateway's minimum is ${amount} base units, which no budget allows.`,
      });
    return nanoUsd;
  }

  /** Fetches the gateway's terms for exactly this amount (default: the minimum) on a chain of the wallet. */
  async #terms(amountNanoUsd?: NanoUsd): Promise<PaymentRequirements> {
    const { wallet, connection, allowedAssets: allowed } = this.parts;
    const accepts = await readPaymentOptions(
      connection,
      amountNanoUsd === undefined ? undefined : formatUsd(amountNanoUsd, 6),
    );
    const ofFamily = accepts.filter(({ network }) => network.startsWith(CHAIN_PREFIXES[wallet.family]));
    if (ofFamily.length === 0)
      throw new TurnpikeError('RAIL_MISSING', { detail: { networks: accepts.map(({ network }) => network) } });
    const accepted = ofFamily.find((entry) => isKnownDollar(entry, { allowed, baseUrl: connection.baseUrl }));
    if (accepted === undefined)
      throw new TurnpikeError('ASSET_UNKNOWN', {
        message: `The gateway asks to be paid in ${ofFamily.map(tokenName).slice(0, NAMED_MAX).join(' or ')}, an unknown token.`,
        detail: { assets: ofFamily.map(tokenName) },
      });
    const units = amountNanoUsd === undefined ? accepted.amount : String(amountNanoUsd / NANO_PER_BASE_UNIT);
    if (accepted.amount !== units)
      throw new TurnpikeError('TERMS_UNEXPECTED', {
        message: `The gateway asks for ${accepted.amount} base units instead of ${units}.`,
      });
    return accepted;
  }
}

function wholeUnits(nanoUsd: NanoUsd): NanoUsd {
  return Math.ceil(Math.max(nanoUsd, 0) / NANO_PER_BASE_UNIT) * NANO_PER_BASE_UNIT;
}

/** Announces a top-up and awaits the listener. @throws {TurnpikeError} TOP_UP_REFUSED */
async function approved(listener: EventListener | undefined, event: Parameters<EventListener>[0]): Promise<void> {
  try {
    await listener?.(event);
  } catch (cause) {
    throw new TurnpikeError('TOP_UP_REFUSED', {
      message: `The listener for events refused the top-up: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  }
}

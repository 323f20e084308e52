import { createHash } from 'node:crypto';
import { type Bought, type KeyScope, outOfScope } from '@/lib/protocol/api-keys/key-scope';
import { ApiError, apiError, isApiError, requestError } from '@/lib/protocol/errors';
import type { Auth } from '../auth/auth';
import { type Awaitable, type IdentifiedCaller, NO_ACCOUNT, type WalletCaller } from '../auth/caller';
import type { Call, Reply } from '../http/call';
import type { HeldMemory } from '../http/held-memory/held-memory';
import type { CallPayment, CallPayments, TakenPayment } from './call-payment';
import { ChargeRefused } from './refusal-error';
import type { Admission, Refusal, ReserveRequest } from './meter';
import { PaidCall, type PaidCallSettings, spendableOf } from './paid-call';

/** Under which the answer to a call that came with a payment is kept: no Idempotency-Key has a colon. */
const PAYMENT_KEY = 'x402:';

/** Of a call without a credential. */
const NOBODY: IdentifiedCaller = {
  accountId: NO_ACCOUNT,
  apiKeyId: null,
  purse: 'x402',
  keyHash: null,
  wallet: null,
  allow: null,
};

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{1,255}$/;

/** The most that a checked request can cost, which is held while it runs. */
export interface Price {
  maxNanoUsd: number;
  /** Counted by the caps of the RPC proxy, and by nothing else. */
  maxCredits: number;
  /** The call changes nothing anywhere, so that it may be made before it is admitted: see `ReserveRequest`. */
  deferrable?: boolean;
}

/** A kind of calls that are paid for: what it does at each step, and how it differs from the others. */
export interface PaidService<Checked> {
  /** Which caps its calls count toward: those of the RPC proxy, which the meter keeps, or the minute cap of all other endpoints. */
  caps: 'rpc' | 'endpoint';
  /** How an answer is kept for a repetition of its request: under the payment that came with it, and under an Idempotency-Key. */
  repetition: {
    /** What stands before an Idempotency-Key when it is kept, so that other services' keys are apart; null where one means nothing. */
    keyPrefix: string | null;
    /** What a repetition has to share with the first request. */
    fingerprint(checked: Checked): string;
    /** An answer that was kept, charged nothing. */
    replay(body: Uint8Array, paid: PaidCall, checked: Checked): Awaitable<Reply>;
  };
  /** Reads and checks a request. @throws ApiError for what cannot be done, nothing being charged. */
  validate(paid: PaidCall): Awaitable<Checked>;
  /** What is bought, by which an owner may have bounded the key; where that cannot be seen, all that it can be. */
  bought(checked: Checked): Bought | readonly Bought[];
  price(checked: Checked): Price;
  /**
   * Refuses what is known to end in a refusal before anybody is asked, such as a call that nobody is configured to
   * answer. Held against a payment that comes with a call, before any of it is taken.
   * @throws ApiError
   */
  requireServable?(checked: Checked): void;
  /** The same request made smaller, so that this much money covers it; null where it cannot be, or nothing useful would be left. */
  shorten?(checked: Checked, spendableNanoUsd: number): Checked | null;
  /**
   * Does what is sold, and settles it before the answer, or the end of it, goes out. Whatever is not settled is released
   * when this is over, unless the answer's body has taken the call over.
   */
  fulfil(paid: PaidCall, checked: Checked): Promise<Reply>;
}

export interface PaidCallsSettings extends PaidCallSettings {
  auth: Auth;
  /** Takes payments that come with calls; null where it takes none. */
  callPayments: CallPayments | null;
  /** What large answers are held in. */
  memory: HeldMemory;
}

/**
 * The life of every call that is paid for: identify, validate, reserve, do, settle. What is there at once is not
 * awaited: an await costs a promise.
 */
export class PaidCalls {
  constructor(private readonly settings: PaidCallsSettings) {}

  /** Answers a call. @throws ApiError 402 and 401 for its caller, 429 beyond a cap, and what the service says of the request. */
  async serve<Checked>(call: Call, service: PaidService<Checked>): Promise<Reply> {
    const { auth, callPayments, memory, openCalls } = this.settings;
    // A payment beside a sign-in is one that the wallet made when it was told that it has too little.
    if (callPayments !== null && !auth.hasKey(call) && (callPayments.isPresent(call) || !auth.hasSignIn(call)))
      return await this.#serveStranger(call, service, callPayments);
    const identifying = auth.identify(call);
    const caller = identifying instanceof Promise ? await identifying : identifying;
    memory.admit(caller.accountId, openCalls);
    if (service.caps === 'endpoint') auth.limit(caller, call);

    const idempotencyKey = idempotencyKeyOf(call, service.repetition.keyPrefix);
    const looking = idempotencyKey === null ? spendableOf(caller, this.settings) : Infinity;
    const spendableNanoUsd = looking instanceof Promise ? await looking : looking;
    const paid = new PaidCall(call, caller, spendableNanoUsd, this.settings);
    // A replay needs no balance, so only without a key is an empty purse known to be the end of it. Whoever has one is
    // told what the call costs, for which it has to be read: of a wallet below, since its faults are told first.
    if (spendableNanoUsd <= 0 && caller.wallet === null)
      throw await paid.tooLittle(spendableNanoUsd, await this.#priceFor(paid, service));
    const validating = service.validate(paid);
    const checked = validating instanceof Promise ? await validating : validating;
    // While a body arrives, its key may be bounded. Reserving looks at the rest of what it may do.
    const again = validating instanceof Promise ? auth.identifyAgain(caller, call) : caller;
    const { allow } = again instanceof Promise ? await again : again;
    if (allow !== null) requireInScope(allow, service.bought(checked));

    // Awaited, though it is the last: a promise that an async function returns settles it three turns later.
    const reply = await this.#reserveAndFulfil(paid, service, checked, idempotencyKey);
    // Of most answers, which are text, nothing more needs to be known.
    if (typeof reply.body !== 'string') reply.accountId = caller.accountId;
    return reply;
  }

  /** Whoever has no credential is asked to pay what the call can cost at most, and may pay it with the call. */
  async #serveStranger<Checked>(call: Call, service: PaidService<Checked>, payments: CallPayments): Promise<Reply> {
    const payment = await payments.read(call);
    if (payment === null)
      throw this.settings.challenge.discovery(
        call,
        await this.#priceFor(new PaidCall(call, NOBODY, 0, this.settings), service),
      );
    const caller = await this.#payerOf(payment);
    this.settings.memory.admit(caller.accountId, this.settings.openCalls);
    // Its payer is not known to ask: counted by the client's address, it takes nothing of the payer's minute.
    const isPayer = payment.isProven && !payment.isRecorded;
    if (service.caps === 'endpoint' || !isPayer) this.settings.auth.limit(isPayer ? caller : NOBODY, call);
    const asking = new PaidCall(call, caller, payment.isProven ? payment.amountNanoUsd : 0, this.settings);
    const checked = await service.validate(asking);
    // One that was recorded has bought its answer, which is kept.
    if (!payment.isRecorded) service.requireServable?.(checked);
    await this.#requireEnough(asking, payment, service.price(checked).maxNanoUsd);
    const taken = await payment.take(requestHash(call, service.repetition.fingerprint(checked)));
    call.record.accountId = taken.accountId;
    const paid = new PaidCall(call, { ...caller, accountId: taken.accountId }, payment.amountNanoUsd, this.settings);
    if (!payment.isRecorded) return await this.#fulfilPaid(paid, service, checked, taken);
    paid.withholdBalance();
    return await this.#fulfilPaid(paid, { ...service, caps: 'endpoint' }, checked, taken);
  }

  /** The most that a call can cost that nobody can pay for yet; null where that cannot be told, or only after reading more than is read for strangers. */
  async #priceFor<Checked>(paid: PaidCall, service: PaidService<Checked>): Promise<number | null> {
    try {
      return service.price(await service.validate(paid)).maxNanoUsd;
    } catch (error) {
      if (isApiError(error)) return null;
      throw error;
    }
  }

  async #payerOf({ payer }: CallPayment): Promise<WalletCaller> {
    const accountId = await this.settings.meter.findWallet(payer, { willReserve: true });
    return {
      accountId: accountId ?? NO_ACCOUNT,
      apiKeyId: null,
      purse: 'x402',
      keyHash: null,
      wallet: payer,
      allow: null,
    };
  }

  /**
   * Before anything is taken: the payment, with what its wallet has beside it, covers the call. One that was taken is in
   * what the wallet has. A payment that the wallet is not known to have signed is told nothing of that by this.
   */
  async #requireEnough(
    asking: PaidCall,
    { amountNanoUsd, isRecorded, isProven }: CallPayment,
    costNanoUsd: number,
  ): Promise<void> {
    if (isRecorded || amountNanoUsd >= costNanoUsd) return;
    if (!isProven || amountNanoUsd + (await asking.spendable()) < costNanoUsd)
      throw this.settings.challenge.paymentTooSmall(asking.call, amountNanoUsd, costNanoUsd);
  }

  /** Every answer from here on carries the receipt: the payment is taken, whatever becomes of the call. */
  async #fulfilPaid<Checked>(
    paid: PaidCall,
    service: PaidService<Checked>,
    checked: Checked,
    { id, headers }: TakenPayment,
  ): Promise<Reply> {
    try {
      const reply = await this.#reserveAndFulfil(paid, service, checked, `${PAYMENT_KEY}${id}`);
      return { ...reply, headers: { ...reply.headers, ...headers } };
    } catch (error) {
      if (!isApiError(error)) throw error;
      throw new ApiError(
        error.code,
        error.message,
        error.details,
        error.fields,
        { ...error.headers, ...headers },
        error.hint,
      );
    }
  }

  #reserveAndFulfil<Checked>(
    paid: PaidCall,
    service: PaidService<Checked>,
    checked: Checked,
    idempotencyKey: string | null,
  ): Awaitable<Reply> {
    const price = service.price(checked);
    const idempotency =
      idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: service.repetition.fingerprint(checked) };
    const reserving = this.#reserve(paid.caller, price, service.caps, idempotency);
    return reserving instanceof Promise
      ? reserving.then((admission) => this.#answer(admission, paid, service, checked, price, idempotencyKey))
      : this.#answer(reserving, paid, service, checked, price, idempotencyKey);
  }

  #answer<Checked>(
    admission: Admission,
    paid: PaidCall,
    service: PaidService<Checked>,
    checked: Checked,
    price: Price,
    idempotencyKey: string | null,
  ): Awaitable<Reply> {
    switch (admission.outcome) {
      case 'admitted':
        paid.admit(admission.reservation, admission.remainingNanoUsd);
        return this.#fulfil(paid, service, checked, price.maxNanoUsd);
      case 'replayed':
        // Several requests with one payment may have come at once: all but the first are repetitions.
        if (idempotencyKey?.startsWith(PAYMENT_KEY)) paid.withholdBalance();
        return service.repetition.replay(admission.body, paid, checked);
      case 'refused': {
        const { refusal } = admission;
        const smaller =
          refusal.reason === 'balance' ? (service.shorten?.(checked, refusal.spendableNanoUsd) ?? null) : null;
        if (smaller === null) return this.#refuse(paid, refusal, price.maxNanoUsd);
        return this.#reserveAndFulfil(
          paid,
          { ...service, shorten: undefined } as PaidService<Checked>,
          smaller,
          idempotencyKey,
        );
      }
    }
  }

  async #refuse(paid: PaidCall, refusal: Refusal, maxNanoUsd: number): Promise<never> {
    throw await paid.refused(refusal, maxNanoUsd);
  }

  async #fulfil<Checked>(
    paid: PaidCall,
    service: PaidService<Checked>,
    checked: Checked,
    maxNanoUsd: number,
  ): Promise<Reply> {
    try {
      return await service.fulfil(paid, checked);
    } catch (error) {
      throw error instanceof ChargeRefused ? await paid.refused(error.refusal, maxNanoUsd) : error;
    } finally {
      if (!paid.isTakenOver) {
        const releasing = paid.release();
        if (releasing instanceof Promise) await releasing;
      }
    }
  }

  /** Admits a call, or says why not; a wallet without an account has too little. */
  #reserve(
    caller: IdentifiedCaller,
    { maxNanoUsd, maxCredits, deferrable = false }: Price,
    caps: 'rpc' | 'endpoint',
    idempotency: ReserveRequest['idempotency'],
  ): Awaitable<Admission> {
    if (caller.accountId === NO_ACCOUNT)
      return { outcome: 'refused', refusal: { reason: 'balance', spendableNanoUsd: 0 } };
    const { meter, allocations, now } = this.settings;
    // Written out: copying by spread is slow, and its result has a shape for each kind of request.
    const request = {
      caller,
      keyHash: caller.keyHash,
      maxNanoUsd,
      maxCredits,
      uncapped: caps === 'endpoint',
      deferrable,
      idempotency,
      now: now(),
    };
    const fixing = caller.purse !== 'x402' ? allocations.ensure(caller.accountId) : undefined;
    return fixing ? fixing.then(() => meter.reserve(request)) : meter.reserve(request);
  }
}

/** @throws ApiError API_KEY_NOT_ALLOWED */
function requireInScope(allow: KeyScope, bought: Bought | readonly Bought[]): void {
  const refused = [bought]
    .flat()
    .map((each) => outOfScope(allow, each))
    .find((each) => each !== null);
  if (refused !== undefined)
    throw apiError('API_KEY_NOT_ALLOWED', {
      message: `The API key may not be used for ${refused}. Nothing was charged.`,
    });
}

/** What makes a request the same as another one. */
function requestHash({ method, path }: Call, fingerprint: string): string {
  return createHash('sha256').update(`${method} ${path}\n${fingerprint}`).digest('hex');
}

function idempotencyKeyOf(call: Call, prefix: string | null): string | null {
  const key = prefix === null ? null : call.header('idempotency-key');
  if (key === null) return null;
  if (!IDEMPOTENCY_KEY.test(key)) throw requestError('INVALID_IDEMPOTENCY_KEY');
  return prefix + key;
}

import { createHash } from 'node:crypto';
import { type Bought, isAsPrivate, type KeyScope, outOfScope, type Privacy } from '@/lib/protocol/api-keys/key-scope';
import { ApiError, apiError, isApiError, requestError } from '@/lib/protocol/errors';
import { RECEIPT_HEADER } from '@/lib/protocol/receipts/receipt';
import type { Auth } from '../auth/auth';
import { type Awaitable, type IdentifiedCaller, NO_ACCOUNT, type WalletCaller } from '../auth/caller';
import type { Call, Reply } from '../http/call';
import type { HeldMemory } from '../http/held-memory/held-memory';
import type { CallPayment, CallPayments, TakenPayment } from './call-payment';
import { ChargeRefused } from './refusal-error';
import type { Admission, Refusal, ReserveRequest } from './meter';
import { PaidCall, type PaidCallSettings, spendableOf } from './paid-call';
import type { PaidService, Price } from './paid-service';
import type { ReceiptNotes } from './receipts/receipt-notes';

export type { PaidService, Price } from './paid-service';

/**
 * Prefix of the idempotency keys under which calls with a payment are recorded. Clients' own keys cannot contain a
 * colon, so they never collide with such a key.
 */
const PAYMENT_KEY = 'x402:';

const NOBODY: IdentifiedCaller = {
  accountId: NO_ACCOUNT,
  apiKeyId: null,
  purse: 'x402',
  keyHash: null,
  wallet: null,
  allow: null,
};

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{1,255}$/;

export interface PaidCallsSettings extends PaidCallSettings {
  auth: Auth;
  /** Null if the gateway accepts no payments with calls. */
  callPayments: CallPayments | null;
  memory: HeldMemory;
  receipts: ReceiptNotes | null;
}

/**
 * Serves every paid call: identifies the caller, validates, reserves, does the work and settles. Avoids `await` on
 * values that are not promises, because that costs time.
 *
 * The folder `billing` has everything about money: the rules as pure functions (`rules`), the meter on SQLite and on
 * Postgres, the daily allocation, usage, alerts and retention. No balance goes below zero. An answer ends only after
 * its charge is committed.
 */
export class PaidCalls {
  constructor(private readonly settings: PaidCallsSettings) {}

  /** @throws ApiError 401, 402, or 429 above a cap; and the service's own errors */
  serve<Checked>(call: Call, service: PaidService<Checked>): Promise<Reply> {
    const { receipts } = this.settings;
    if (!receipts || call.header(RECEIPT_HEADER) !== 'true') return this.#serve(call, service);
    return receipts.noted(call, service, (noted, noting) => this.#serve(noted, noting));
  }

  async #serve<Checked>(call: Call, service: PaidService<Checked>): Promise<Reply> {
    const { auth, callPayments, memory, openCalls } = this.settings;
    // A payment takes precedence over a sign-in, because a wallet whose balance is too low may send both.
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
    // Refuses an API key with an empty balance here, unless the call has an Idempotency-Key and so may have a stored
    // answer. Wallets are refused later.
    if (spendableNanoUsd <= 0 && caller.wallet === null)
      throw await paid.tooLittle(spendableNanoUsd, await this.#priceFor(paid, service));
    const validating = service.validate(paid);
    const checked = validating instanceof Promise ? await validating : validating;
    // The owner may have restricted the key while the body arrived.
    const again = validating instanceof Promise ? auth.identifyAgain(caller, call) : caller;
    const { allow } = again instanceof Promise ? await again : again;
    if (allow !== null) {
      requireInScope(allow, service.bought(checked));
      if (allow.privacy !== undefined) await requirePrivate(allow.privacy, service, checked);
    }

    // `await` here is faster than returning the promise.
    const reply = await this.#reserveAndFulfil(paid, service, checked, idempotencyKey);
    // String answers do not count toward the account's memory limit.
    if (typeof reply.body !== 'string') reply.accountId = caller.accountId;
    return reply;
  }

  /**
   * Serves a call with a payment or without a credential. Without a payment, answers with a 402 that states the maximum
   * cost.
   */
  async #serveStranger<Checked>(call: Call, service: PaidService<Checked>, payments: CallPayments): Promise<Reply> {
    const payment = await payments.read(call);
    if (payment === null)
      throw this.settings.challenge.discovery(
        call,
        await this.#priceFor(new PaidCall(call, NOBODY, 0, this.settings), service),
      );
    const caller = await this.#payerOf(payment);
    this.settings.memory.admit(caller.accountId, this.settings.openCalls);
    // A new payment with a proven payer counts toward the payer's rate limit. Any other payment counts toward the limit
    // of the client's address.
    const isPayer = payment.isProven && !payment.isRecorded;
    if (service.caps === 'endpoint' || !isPayer) this.settings.auth.limit(isPayer ? caller : NOBODY, call);
    const asking = new PaidCall(call, caller, payment.isProven ? payment.amountNanoUsd : 0, this.settings);
    const checked = await service.validate(asking);
    // The answer to a recorded payment may already be stored, and then needs no upstream.
    if (!payment.isRecorded) service.requireServable?.(checked, caller.accountId);
    await this.#requireEnough(asking, payment, service.price(checked).maxNanoUsd);
    const taken = await payment.take(requestHash(call, service.repetition.fingerprint(checked)));
    call.record.accountId = taken.accountId;
    const payer = { ...caller, accountId: taken.accountId };
    const paid = new PaidCall(call, payer, payment.amountNanoUsd, this.settings, taken.id);
    if (!payment.isRecorded) return await this.#fulfilPaid(paid, service, checked, taken);
    paid.withholdBalance();
    return await this.#fulfilPaid(paid, { ...service, caps: 'endpoint' }, checked, taken);
  }

  /**
   * Returns the maximum cost of a call; null if unknown, or if the request is invalid or too large to be read without
   * payment.
   */
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
   * Checks, before a new payment is taken, that it covers the call together with the balance. Only a proven payer's
   * balance counts, because a refusal hints at it.
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

  /** Adds the payment's receipt to the answer or to the error, because the payment was taken in both cases. */
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
        // If several requests carry the same payment, only the answer to the first may show the balance.
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

  #reserve(
    caller: IdentifiedCaller,
    { maxNanoUsd, maxCredits, deferrable = false }: Price,
    caps: 'rpc' | 'endpoint',
    idempotency: ReserveRequest['idempotency'],
  ): Awaitable<Admission> {
    if (caller.accountId === NO_ACCOUNT)
      return { outcome: 'refused', refusal: { reason: 'balance', spendableNanoUsd: 0 } };
    const { meter, allocations, now } = this.settings;
    // Lists the fields, because spread syntax is slow and produces objects of different shapes.
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

function requireInScope(allow: KeyScope, bought: Bought | readonly Bought[]): void {
  const refused = [bought]
    .flat()
    .map((each) => outOfScope(allow, each))
    .find((each) => each !== null);
  if (refused !== undefined)
    throw apiError('API_KEY_NOT_ALLOWED', {
      message: `The API key is not allowed to use ${refused}. Nothing was charged.`,
    });
}

async function requirePrivate<Checked>(
  demanded: Privacy,
  service: PaidService<Checked>,
  checked: Checked,
): Promise<void> {
  if ([service.bought(checked)].flat().every(({ endpoint }) => endpoint === 'rpc')) return;
  const privacy = (await service.privacyOf?.(checked)) ?? null;
  if (!isAsPrivate(privacy, demanded))
    throw apiError('API_KEY_NOT_ALLOWED', {
      message: `The API key is only for calls that are ${demanded}, but this call is ${privacy === null ? 'not private' : `only ${privacy}`}. Nothing was sent or charged.`,
    });
}

function requestHash({ method, path }: Call, fingerprint: string): string {
  return createHash('sha256').update(`${method} ${path}\n${fingerprint}`).digest('hex');
}

function idempotencyKeyOf(call: Call, prefix: string | null): string | null {
  const key = prefix === null ? null : call.header('idempotency-key');
  if (key === null) return null;
  if (!IDEMPOTENCY_KEY.test(key)) throw requestError('INVALID_IDEMPOTENCY_KEY');
  return prefix + key;
}

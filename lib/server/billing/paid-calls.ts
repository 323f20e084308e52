import { requestError } from '@/lib/protocol/errors';
import type { Auth } from '../auth/auth';
import { type Awaitable, type IdentifiedCaller, NO_ACCOUNT } from '../auth/caller';
import type { Call, Reply } from '../http/call';
import { ChargeRefused } from './refusal-error';
import type { Admission, ReserveRequest } from './meter';
import { PaidCall, type PaidCallSettings, spendableOf } from './paid-call';

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
  /** How answers are kept under an Idempotency-Key; null where the header means nothing. */
  idempotency: {
    /** What a second request under the same key has to share with the first. */
    fingerprint(checked: Checked): string;
    /** An answer that was kept, charged nothing. */
    replay(body: Uint8Array, paid: PaidCall): Awaitable<Reply>;
  } | null;
  /** Reads and checks a request. @throws ApiError for what cannot be done, nothing being charged. */
  validate(paid: PaidCall): Awaitable<Checked>;
  price(checked: Checked): Price;
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
}

/**
 * The life of every call that is paid for: identify, validate, reserve, do, settle. What is there at once is not
 * awaited: an await costs a promise.
 */
export class PaidCalls {
  constructor(private readonly settings: PaidCallsSettings) {}

  /** Answers a call. @throws ApiError 402 and 401 for its caller, 429 beyond a cap, and what the service says of the request. */
  async serve<Checked>(call: Call, service: PaidService<Checked>): Promise<Reply> {
    const identifying = this.settings.auth.identify(call);
    const caller = identifying instanceof Promise ? await identifying : identifying;
    if (service.caps === 'endpoint') this.settings.auth.limit(caller);

    const idempotencyKey = service.idempotency === null ? null : idempotencyKeyOf(call);
    const looking = idempotencyKey === null ? spendableOf(caller, this.settings) : Infinity;
    const spendableNanoUsd = looking instanceof Promise ? await looking : looking;
    const paid = new PaidCall(call, caller, spendableNanoUsd, this.settings);
    // A replay needs no balance, so only without a key is an empty purse known to be the end of it. A wallet is told
    // what the call costs, for which it has to be read.
    if (spendableNanoUsd <= 0 && caller.wallet === null) throw paid.tooLittle(spendableNanoUsd, null);
    const validating = service.validate(paid);
    const checked = validating instanceof Promise ? await validating : validating;

    // Awaited, though it is the last: a promise that an async function returns settles it three turns later.
    return await this.#reserveAndFulfil(paid, service, checked, idempotencyKey);
  }

  #reserveAndFulfil<Checked>(paid: PaidCall, service: PaidService<Checked>, checked: Checked, idempotencyKey: string | null): Awaitable<Reply> {
    const price = service.price(checked);
    const idempotency = idempotencyKey === null || service.idempotency === null ? null : { key: idempotencyKey, fingerprint: service.idempotency.fingerprint(checked) };
    const reserving = this.#reserve(paid.caller, price, service.caps, idempotency);
    return reserving instanceof Promise
      ? reserving.then((admission) => this.#answer(admission, paid, service, checked, price, idempotencyKey))
      : this.#answer(reserving, paid, service, checked, price, idempotencyKey);
  }

  #answer<Checked>(admission: Admission, paid: PaidCall, service: PaidService<Checked>, checked: Checked, price: Price, idempotencyKey: string | null): Awaitable<Reply> {
    switch (admission.outcome) {
      case 'admitted':
        paid.admit(admission.reservation, admission.remainingNanoUsd);
        return this.#fulfil(paid, service, checked, price.maxNanoUsd);
      case 'replayed':
        if (service.idempotency === null) throw new Error('An answer was kept of a call that has no idempotency key.');
        return service.idempotency.replay(admission.body, paid);
      case 'refused': {
        const { refusal } = admission;
        const smaller = refusal.reason === 'balance' ? (service.shorten?.(checked, refusal.spendableNanoUsd) ?? null) : null;
        if (smaller === null) throw paid.refused(refusal, price.maxNanoUsd);
        return this.#reserveAndFulfil(paid, { ...service, shorten: undefined } as PaidService<Checked>, smaller, idempotencyKey);
      }
    }
  }

  async #fulfil<Checked>(paid: PaidCall, service: PaidService<Checked>, checked: Checked, maxNanoUsd: number): Promise<Reply> {
    try {
      return await service.fulfil(paid, checked);
    } catch (error) {
      throw error instanceof ChargeRefused ? paid.refused(error.refusal, maxNanoUsd) : error;
    } finally {
      if (!paid.isTakenOver) {
        const releasing = paid.release();
        if (releasing instanceof Promise) await releasing;
      }
    }
  }

  /** Admits a call, or says why not; a wallet without an account has too little. */
  #reserve(caller: IdentifiedCaller, { maxNanoUsd, maxCredits, deferrable = false }: Price, caps: 'rpc' | 'endpoint', idempotency: ReserveRequest['idempotency']): Awaitable<Admission> {
    if (caller.accountId === NO_ACCOUNT) return { outcome: 'refused', refusal: { reason: 'balance', spendableNanoUsd: 0 } };
    const { meter, allocations, now } = this.settings;
    // Written out: copying by spread is slow, and its result has a shape for each kind of request.
    const request = { caller, keyHash: caller.keyHash, maxNanoUsd, maxCredits, uncapped: caps === 'endpoint', deferrable, idempotency, now: now() };
    const fixing = caller.purse === 'account' ? allocations.ensure(caller.accountId) : undefined;
    return fixing ? fixing.then(() => meter.reserve(request)) : meter.reserve(request);
  }
}

function idempotencyKeyOf(call: Call): string | null {
  const key = call.header('idempotency-key');
  if (key !== null && !IDEMPOTENCY_KEY.test(key)) throw requestError('INVALID_IDEMPOTENCY_KEY');
  return key;
}

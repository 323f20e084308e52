import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';
import { epochAt, epochEnd } from '@/lib/protocol/allocation/epoch';
import { ChargeRefused } from '@/lib/server/billing/refusal-error';
import { forgetExpired } from '@/lib/server/billing/forget-expired';
import { type Caller, PURSES } from '@/lib/server/auth/caller';
import type { Charge, MeterLimits, Reservation, ReserveRequest } from '@/lib/server/billing/meter';
import { revokeApiKey } from '@/lib/server/db/api-keys';
import { creditWithin } from '@/lib/server/db/credits';
import { BooksModel, type KnownDifferences, type ReservationLife } from './books-model';
import { compareBooks, Difference, differ } from './books-difference';
import type { CallStep, History, Step } from './books-history';
import type { MeteredStore } from './metered-store';
import { OrderOfCalls } from './order-of-calls';

/** Gateways on one store, on which a history is played. */
export interface Stage {
  readonly life: ReservationLife;
  readonly known: KnownDifferences;
  /** Returns the current meter of a gateway. */
  gateway(number: number): MeteredStore;
  /** Kills a gateway and starts it again. @returns numbers of all gateways in the process that died */
  crash(number: number): Promise<readonly number[]>;
  /** Ends expired leases. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export type OpenStage = (limits: MeterLimits, idempotencyKeysMax: number, leaseMs: number) => Promise<Stage>;

/** Prefix of request ids whose charges cannot be written. See `MeteredStore.breakCharges`. */
export const BROKEN = 'bad';

const START = Date.UTC(2026, 10, 28, 12);
/** Time between two steps. Everything within a step has the same time. */
const STEP_MS = 1;

/**
 * Plays a history on a store and on the model. Compares each outcome, the spendable amounts after each step, and all
 * accounts at the end. The test must use a fake clock.
 * @throws Difference
 */
export async function playHistory(history: History, open: OpenStage): Promise<void> {
  vi.setSystemTime(START);
  const { requests, credits, idempotencyKeys } = history.limits;
  // As in the configuration, staff have higher limits of both kinds.
  const byTier = (cap: number | null) => ({ standard: cap, paid: cap && cap + 2, staff: cap && 10 * cap });
  const limits: MeterLimits = { requestsPerMinute: byTier(requests), creditsPerDay: byTier(credits) };
  const stage = await open(limits, idempotencyKeys, history.leaseMs);
  const played = structuredClone(history);
  try {
    await new Play(stage, new BooksModel(limits, idempotencyKeys, stage.life, stage.known), history.isExact).run(
      played,
    );
  } catch (error) {
    const difference = error instanceof Difference ? error : new Difference(String(error), { cause: error });
    difference.history = { ...played, isExact: true };
    throw difference;
  } finally {
    await stage.close();
  }
}

interface Running {
  caller: Caller;
  gateway: number;
  reservation: Reservation;
  request: ReserveRequest;
}

interface Key {
  id: number;
  hash: string;
}

/** Outcomes of the store and of the model. */
interface Outcomes {
  what?: string;
  actual: unknown;
  expected: unknown;
}

class Play {
  readonly #accounts: number[] = [];
  readonly #keys: Key[] = [];
  readonly #running = new Map<number, Running>();
  #steps = 0;

  constructor(
    private readonly stage: Stage,
    private readonly model: BooksModel,
    private readonly isExact: boolean,
  ) {}

  /** Plays the steps. Changes each step to name the call that it used. */
  async run({ accounts, keys, steps }: History): Promise<void> {
    const books = this.stage.gateway(0);
    for (const { tier, diem, ...pots } of accounts) {
      const id = await books.account({}, tier);
      this.#accounts.push(id);
      this.model.open(id, tier);
      for (const pot of ['bundled', 'usd', 'x402'] as const)
        if (pots[pot] > 0)
          await this.#play({ do: 'credit', account: this.#accounts.length - 1, pot, kind: 'GRANT', amount: pots[pot] });
      if (diem > 0) await this.#play({ do: 'allocate', account: this.#accounts.length - 1, amount: diem, gateway: 0 });
    }
    for (const { account, expiresInMs, ...limits } of keys) {
      const expiresAt = expiresInMs === null ? null : START + expiresInMs;
      const key = await books.key(this.#accounts[account] as number, { ...limits, expiresAt });
      this.#keys.push(key);
      const { limitPeriod, limitUsdNano: limitUsd, limitDiemNano: limitDiem, limitPrepaidNano: limitPrepaid } = limits;
      this.model.addKey(key.hash, {
        id: key.id,
        limitPeriod,
        limitUsd,
        limitDiem,
        limitPrepaid,
        expiresAt,
        revokedAt: null,
      });
    }
    for (const [index, step] of steps.entries()) {
      await this.#play(step).catch((error: unknown) => {
        if (error instanceof Difference) error.message = `step ${index + 1}: ${error.message}`;
        throw error;
      });
    }
    await compareBooks(this.stage.gateway(0), this.#accounts, this.model);
  }

  async #play(step: Step): Promise<void> {
    this.#steps++;
    switch (step.do) {
      case 'together':
        await this.#together(step.steps);
        break;
      case 'reserve':
      case 'charge':
      case 'settle':
      case 'release':
        await this.#together([step]);
        break;
      case 'fail':
        step.call = this.#callMeant(step.call);
        await this.#fail(step.call);
        break;
      case 'note':
        step.call = this.#callMeant(step.call);
        await this.#note(step.call, step.part);
        break;
      case 'crash':
        await this.#crash(step);
        break;
      default:
        await this.#playOther(step);
    }
    this.model.written();
    // Waits, because a commit on another connection becomes visible in the next turn of the event loop.
    await turn();
    await this.#compareSpendable();
    if (step.do === 'allocate' || step.do.startsWith('wait')) await this.#compareAllocations();
    vi.setSystemTime(Date.now() + STEP_MS);
  }

  async #playOther(step: Exclude<Step, CallStep | { do: 'together' | 'fail' | 'note' | 'crash' }>): Promise<void> {
    const now = Date.now();
    const { db } = this.stage.gateway(0).store;
    if (step.do === 'wait') vi.setSystemTime(now + step.ms);
    else if (step.do === 'wait until') vi.setSystemTime(timeOf(step.what, now));
    else if (step.do === 'sweep') {
      this.model.sweep(now);
      await this.stage.sweep();
    } else if (step.do === 'forget') {
      this.model.forget(now);
      await forgetExpired(db, now);
    } else if (step.do === 'revoke') {
      const { id, hash } = this.#keys[step.key] as Key;
      this.model.revoke(hash, now);
      await revokeApiKey(db, id, now);
    } else {
      const account = this.#accounts[step.account] as number;
      if (step.do === 'tier') {
        this.model.setTier(account, step.tier);
        await db.updateTable('accounts').set({ tier: step.tier }).where('id', '=', account).execute();
      } else if (step.do === 'allocate') {
        this.model.allocate(account, step.amount, now);
        await this.stage.gateway(step.gateway).allocate(account, step.amount);
      } else {
        const [detail, requestId] = [`step ${this.#steps}`, `credit${this.#steps}`];
        this.model.credit(account, step.pot, step.kind, step.amount, detail, requestId, now);
        await db
          .transaction()
          .execute((transaction) =>
            creditWithin(
              transaction,
              { accountId: account, pot: step.pot, kind: step.kind, amountNanoUsd: step.amount, detail, requestId },
              now,
            ),
          );
      }
    }
  }

  /** Starts all calls before the first of them has a result. */
  async #together(steps: readonly CallStep[]): Promise<void> {
    const isAlone = steps.length === 1;
    const order = new OrderOfCalls();
    const asked: Promise<Outcomes>[] = [];
    for (const step of steps) {
      const outcomes =
        step.do === 'reserve' || step.do === 'charge' ? this.#ask(step, order) : this.#end(step, order, isAlone);
      if (outcomes) asked.push(outcomes.then((both) => ({ ...both, what: JSON.stringify(step) })));
    }
    for (const { what, actual, expected } of await Promise.all(asked)) differ(what ?? '', actual, expected);
  }

  #ask(step: Extract<CallStep, { do: 'reserve' | 'charge' }>, order: OrderOfCalls): Promise<Outcomes> | null {
    const account = this.#accounts[step.account] as number;
    if (!order.admits(account, step.gateway, { isInTwoSteps: step.do === 'charge' })) return null;
    const idempotency =
      step.do === 'reserve' && step.idempotency && order.usesKey(account, step.idempotency.key)
        ? step.idempotency
        : null;
    const request = this.#requestOf(step, idempotency);
    return step.do === 'charge' ? this.#chargeAtOnce(step, request) : this.#reserve(step, request);
  }

  #end(
    step: Extract<CallStep, { do: 'settle' | 'release' }>,
    order: OrderOfCalls,
    isAlone: boolean,
  ): Promise<Outcomes> | null {
    step.call = this.#callMeant(step.call);
    const running = this.#running.get(step.call);
    if (!running || !order.admits(running.caller.accountId, running.gateway, { isInTwoSteps: false })) return null;
    if (running.request.idempotency) order.usesKey(running.caller.accountId, running.request.idempotency.key);
    this.#running.delete(step.call);
    // The meter stores an answer slightly after the charge, so parallel calls could see either state.
    if (step.do === 'settle') return this.#settle(step, running, isAlone ? step.answer : null);
    this.model.release(this.#callId(step.call), running.caller.accountId);
    return Promise.resolve(this.stage.gateway(running.gateway).meter.release(running.reservation)).then(() => ({
      actual: null,
      expected: null,
    }));
  }

  #requestOf(
    step: Extract<CallStep, { do: 'reserve' | 'charge' }>,
    idempotency: ReserveRequest['idempotency'],
  ): ReserveRequest {
    const key = step.key === null ? null : (this.#keys[step.key] as Key);
    return {
      caller: { accountId: this.#accounts[step.account] as number, apiKeyId: key?.id ?? null, purse: step.purse },
      keyHash: key?.hash ?? null,
      maxNanoUsd: step.max,
      maxCredits: step.credits,
      uncapped: step.do === 'reserve' && step.uncapped,
      deferrable: step.do === 'charge',
      idempotency,
      now: Date.now(),
    };
  }

  async #reserve({ call, gateway }: Extract<CallStep, { do: 'reserve' }>, request: ReserveRequest): Promise<Outcomes> {
    const expected = this.model.reserve(this.#callId(call), request);
    const admission = await this.stage.gateway(gateway).reserve(request);
    if (admission.outcome === 'admitted')
      this.#running.set(call, { caller: request.caller, gateway, reservation: admission.reservation, request });
    const actual =
      admission.outcome === 'admitted'
        ? { outcome: admission.outcome, remainingNanoUsd: admission.remainingNanoUsd }
        : admission;
    return { actual: shown(actual), expected: shown(expected) };
  }

  async #chargeAtOnce(
    { call, gateway, max, credits }: Extract<CallStep, { do: 'charge' }>,
    request: ReserveRequest,
  ): Promise<Outcomes> {
    const books = this.stage.gateway(gateway);
    const charge = this.#chargeOf(call, max, credits, false);
    const admitted = this.model.reserve(this.#callId(call), request);
    const expected =
      admitted.outcome === 'admitted'
        ? this.model.settle(this.#callId(call), request.caller, charge, Date.now())
        : admitted;
    const admission = await books.reserve(request);
    const actual =
      admission.outcome === 'admitted'
        ? await books.meter.settle(admission.reservation, charge).catch(refusalOf)
        : admission;
    return { actual: shown(actual), expected: shown(expected) };
  }

  async #settle(
    { call, part }: Extract<CallStep, { do: 'settle' }>,
    { caller, gateway, reservation, request }: Running,
    answer: 'small' | 'too-large' | null,
  ): Promise<Outcomes> {
    const amount = Math.round(part * request.maxNanoUsd);
    // A charge of zero has no credits, because SQLite restores credits from ledger rows and this charge has none.
    const credits = amount === 0 ? 0 : Math.ceil(part * request.maxCredits);
    const replayBody = answer === 'small' ? Buffer.from(`answer ${call}`) : answer;
    const charge: Charge = { ...this.#chargeOf(call, amount, credits, request.uncapped ?? false), replayBody };
    const expected = this.model.settle(this.#callId(call), caller, charge, Date.now());
    const actual = await this.stage
      .gateway(gateway)
      .meter.settle(reservation, charge)
      .catch((error: unknown) => {
        if (String(error).includes('is gone')) return 'gone';
        throw error;
      });
    return { actual: shown(actual), expected: shown(expected) };
  }

  async #fail(call: number): Promise<void> {
    const running = this.#running.get(call);
    if (!running) return;
    this.#running.delete(call);
    this.model.release(this.#callId(call), running.caller.accountId);
    const charge = {
      ...this.#chargeOf(call, running.request.maxNanoUsd, 1, false),
      requestId: `${BROKEN}${this.#callId(call)}`,
    };
    const failure = await this.stage
      .gateway(running.gateway)
      .meter.settle(running.reservation, charge)
      .then(
        () => 'charged',
        (error: unknown) => String(error),
      );
    if (!/disk full|is gone/.test(failure))
      throw new Difference(`the charge of call ${call} cannot be written, but: ${failure}`);
  }

  async #note(call: number, part: number): Promise<void> {
    const running = this.#running.get(call);
    // A call with an idempotency key is charged only at its end, so it has no checkpoint.
    if (!running || running.request.idempotency) return;
    const charge = this.#chargeOf(call, Math.max(1, Math.round(part * running.request.maxNanoUsd)), 0, true);
    this.model.note(this.#callId(call), running.caller.accountId, charge, Date.now());
    await this.stage.gateway(running.gateway).meter.checkpoint(running.reservation, charge);
  }

  async #crash({ gateway, settling }: Extract<Step, { do: 'crash' }>): Promise<void> {
    // Settles calls during the crash only on SQLite. There this process writes the charges, so the crash can come
    // before them. On Postgres, they might be written or not.
    if (this.stage.life === 'of the process') {
      for (const [index, named] of settling.entries()) {
        const call = (settling[index] = this.#callMeant(named));
        const running = this.#running.get(call);
        if (running)
          void this.stage
            .gateway(running.gateway)
            .meter.settle(running.reservation, this.#chargeOf(call, running.request.maxNanoUsd, 0, true))
            .catch(() => undefined);
        this.#running.delete(call);
      }
    }
    this.model.crash(Date.now());
    const died = await this.stage.crash(gateway);
    for (const [call, running] of this.#running) if (died.includes(running.gateway)) this.#running.delete(call);
  }

  #chargeOf(call: number, amountNanoUsd: number, credits: number, isChat: boolean): Charge {
    const bought = isChat
      ? { resource: 'chat/m', credits: 0, units: amountNanoUsd + 1 }
      : { resource: 'rpc/test', credits };
    return { amountNanoUsd, ...bought, detail: `call ${call % 3}`, requestId: this.#callId(call), replayBody: null };
  }

  #callMeant(call: number): number {
    return this.isExact || this.#running.has(call) ? call : ([...this.#running.keys()].at(-1) ?? call);
  }

  #callId(call: number): string {
    // Makes ids in both forms in which the ledger stores request ids.
    return call % 2 === 0 ? `call${call}` : call.toString(16).padStart(32, '0');
  }

  async #compareSpendable(): Promise<void> {
    const now = Date.now();
    const { meter } = this.stage.gateway(0);
    const purses = this.#accounts.flatMap((accountId) => PURSES.map((purse) => ({ accountId, apiKeyId: null, purse })));
    const actual = await Promise.all(purses.map((caller) => meter.spendable(caller)));
    differ(
      'spendable of each purse',
      actual,
      purses.map(({ accountId, purse }) => this.model.spendable(accountId, purse, now)),
    );
  }

  async #compareAllocations(): Promise<void> {
    const now = Date.now();
    const { meter } = this.stage.gateway(0);
    const allocations = await Promise.all(this.#accounts.map((accountId) => meter.allocation(accountId)));
    differ(
      'allocations that may be spent',
      allocations,
      this.#accounts.map((accountId) => this.model.allocation(accountId, now)),
    );
  }
}

function timeOf(what: Extract<Step, { do: 'wait until' }>['what'], now: number): number {
  const midnight = epochEnd(epochAt(now));
  if (what === 'midnight') return midnight;
  if (what === 'the last millisecond of the day') return Math.max(now, midnight - 1 - STEP_MS);
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function refusalOf(error: unknown): { outcome: 'refused'; refusal: ChargeRefused['refusal'] } {
  if (!(error instanceof ChargeRefused)) throw error;
  return { outcome: 'refused', refusal: error.refusal };
}

/** Returns an outcome with its body as text. */
function shown(outcome: unknown): unknown {
  return typeof outcome === 'object' && outcome !== null && 'body' in outcome
    ? { ...outcome, body: Buffer.from(outcome.body as Uint8Array).toString() }
    : outcome;
}

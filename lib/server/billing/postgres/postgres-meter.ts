import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { isApiError } from '@/lib/protocol/errors';
import { type IdempotencyConfig, idempotencySchema } from '../../config/idempotency';
import type { Secret } from '../../config/secret';
import { createPool } from '../../db/postgres/connection';
import type { Awaitable, Caller, KeyRecord } from '../../auth/caller';
import type {
  Admission,
  AllocateRequest,
  Allocation,
  Charge,
  Meter,
  MeterLimits,
  Refusal,
  Reservation,
  ReserveRequest,
  Settled,
} from '../meter';
import { Allocations } from './allocations';
import { ChargeRefused } from '../refusal-error';
import { CallBatches } from './call-batches';
import { type CallOutcome, type CallRow, ChargeStatement, MeterStatement } from './meter-statements';
import { Headroom } from './headroom';
import { KeepingRoom } from './keeping-room';
import { LedgerNames } from './ledger-names';
import { CallerCache } from './caller-cache';
import { chargeUnconfirmed, reservationLost } from '../../db/postgres/failure';

const CONNECTIONS_MAX = 6;
const STATEMENT_TIMEOUT_MS = 6_000;
const COPY_MS = 1_000;
const UPKEEP_INTERVAL_MS = 30_000;

/** True for refusals that depend on a key's cached terms. */
const IS_OF_KEY: Readonly<Record<Refusal['reason'], boolean>> = {
  'minute-cap': false,
  'credit-cap': false,
  collision: false,
  'key-reused': false,
  'answer-not-kept': false,
  'key-cap': false,
  'key-revoked': true,
  'key-expired': true,
  balance: true,
  'key-limit': true,
};

export interface PostgresMeterSettings {
  limits: MeterLimits;
  /** Limits on answers stored under idempotency keys. The configuration schema has the same defaults. */
  keeping?: IdempotencyConfig;
  /** Lease of a reservation. Checkpoints renew it. */
  leaseMs: number;
  /** Called when the database is unreachable, and for errors of background work. */
  onTrouble?: (error: Error) => void;
  /** Maximum age of a cached key or balance; 0 disables caching (`CallerCache`). */
  copyMs?: number;
  /** Replaces the database's clock in tests. `reserve` then uses the time in its request. */
  clock?: () => number;
  batches?: { concurrency?: number; callsMax?: number };
}

interface RowReservation extends Reservation {
  id: string;
  open: boolean;
  /** True if the call runs before admission. Such a call has no reservation row, and is admitted when it is charged. */
  isAhead: boolean;
}

/**
 * Meter for gateways that share one Postgres. Functions in the database decide on each call. They lock the caller's row
 * and use the database's clock. Reservations of a crashed process expire.
 */
export class PostgresMeter implements Meter {
  readonly #pool: Pool;
  readonly #batches: CallBatches;
  readonly #statements: { meter: MeterStatement; charges: ChargeStatement };
  readonly #callerCache: CallerCache;
  readonly #allocations: Allocations;
  readonly #headroom: Headroom;
  readonly #keepingRoom: KeepingRoom;
  readonly #names: LedgerNames;
  readonly #leaseMs: number;
  readonly #clock: (() => number) | null;
  readonly #timer: NodeJS.Timeout;
  #closed: Promise<void> | undefined;

  constructor(
    url: Secret,
    {
      limits,
      keeping = idempotencySchema.parse({}),
      leaseMs,
      onTrouble = () => undefined,
      copyMs = COPY_MS,
      clock,
      batches,
    }: PostgresMeterSettings,
  ) {
    this.#headroom = new Headroom(limits);
    const onAway = (error: Error): void => {
      this.#headroom.pause(performance.now());
      onTrouble(error);
    };
    this.#pool = createPool(url.reveal(), {
      connectionsMax: CONNECTIONS_MAX,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      onLost: onAway,
    });
    this.#keepingRoom = new KeepingRoom(this.#pool, keeping);
    this.#names = new LedgerNames(this.#pool);
    const statements = (this.#statements = {
      meter: new MeterStatement(this.#pool, limits, keeping.callerKeysMax),
      charges: new ChargeStatement(this.#pool, limits),
    });
    this.#batches = new CallBatches(statements, onAway, batches);
    this.#callerCache = new CallerCache(this.#pool, limits, copyMs, clock ?? null, this.#headroom);
    this.#allocations = new Allocations(this.#pool, clock ?? null);
    this.#leaseMs = leaseMs;
    this.#clock = clock ?? null;
    this.#timer = setInterval(() => {
      void this.expireLeases().catch(onTrouble);
      void this.learnNames().catch(onTrouble);
    }, UPKEEP_INTERVAL_MS);
    this.#timer.unref();
  }

  get pool(): Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'> {
    return this.#pool;
  }

  takeLimits(limits: MeterLimits): void {
    for (const part of [this.#headroom, this.#callerCache, this.#statements.meter, this.#statements.charges])
      part.takeLimits(limits);
  }

  /** Charges expired reservations' checkpoints and frees their holds. `reserve` ignores these holds anyway. */
  async expireLeases(): Promise<void> {
    await this.#pool.query('select turnpike_expire_all($1)', [this.#clock?.() ?? null]);
  }

  /** Assigns ids to the resources and details charged since the last run, so that ledger rows become smaller. */
  learnNames(): Promise<void> {
    return this.#names.learn();
  }

  findKey(hash: string, { willReserve } = { willReserve: false }): Awaitable<KeyRecord | null> {
    return this.#callerCache.findKey(hash, willReserve);
  }

  findWallet(key: string): Awaitable<number | null> {
    return this.#callerCache.findWallet(key);
  }

  keyChanged(keyId: number): void {
    this.#callerCache.forgetKeyById(keyId);
  }

  spendable(caller: Caller, { willReserve } = { willReserve: false }): Awaitable<number> {
    return this.#callerCache.spendable(caller, willReserve);
  }

  /** @throws ApiError STORE_UNAVAILABLE if the database is unreachable */
  reserve(request: ReserveRequest): Awaitable<Admission> {
    const id = randomUUID();
    if (!this.#headroom.admits(request, performance.now())) return this.#admit(request, id);
    const reservation: RowReservation = { request, id, open: true, isAhead: true };
    return { outcome: 'admitted', reservation, remainingNanoUsd: this.#callerCache.spendableByCopy(request.caller) };
  }

  async #admit(request: ReserveRequest, id: string): Promise<Admission> {
    const { caller, idempotency } = request;
    const result = await this.#ask({
      kind: request.uncapped ? 'hold' : 'reserve',
      account_id: caller.accountId,
      reservation: id,
      at: this.#clock ? request.now : null,
      purse: caller.purse,
      key_hash: request.keyHash,
      api_key_id: caller.apiKeyId,
      amount: request.maxNanoUsd,
      credits: request.maxCredits,
      lease_ms: this.#leaseMs,
      idempotency_key: idempotency?.key ?? null,
      fingerprint: idempotency?.fingerprint ?? null,
    });
    if (result.outcome === 'refused') this.#learn(request, result.refusal);
    // The cached balance might not include the charge of the replayed answer.
    if (result.outcome === 'replayed') this.#callerCache.forgetSpendable(caller.accountId);
    if (result.outcome === 'refused' || result.outcome === 'replayed') return result;
    if (result.outcome !== 'admitted') throw unexpected(result);
    const reservation: RowReservation = { request, id, open: true, isAhead: false };
    return { outcome: 'admitted', reservation, remainingNanoUsd: result.remainingNanoUsd };
  }

  /**
   * @throws ApiError STORE_UNAVAILABLE if the database is unreachable; the error says whether the call may still be
   * charged
   */
  settle(reservation: Reservation, charge: Charge): Promise<Settled> {
    const running = reservation as RowReservation;
    const { request, id, open, isAhead } = running;
    if (!open) throw new Error('A reservation can be settled only once.');
    if (charge.amountNanoUsd > request.maxNanoUsd) throw new Error('A charge cannot exceed what was reserved for it.');
    running.open = false;
    return isAhead ? this.#chargeAhead(running, charge) : this.#charge(request, id, charge);
  }

  async checkpoint(reservation: Reservation, charge: Charge): Promise<void> {
    const { request, id, open, isAhead } = reservation as RowReservation;
    if (!open || isAhead) return;
    await this.#ask({
      kind: 'note',
      account_id: request.caller.accountId,
      reservation: id,
      at: this.#clock?.() ?? null,
      amount: charge.amountNanoUsd,
      units: charge.units ?? charge.credits,
      lease_ms: this.#leaseMs,
      resource: charge.resource,
      detail: charge.detail,
      request_id: charge.requestId,
    });
  }

  async release(reservation: Reservation): Promise<void> {
    const running = reservation as RowReservation;
    if (!running.open) return;
    running.open = false;
    if (running.isAhead) this.#countAhead(running);
    else await this.#free(running.request.caller.accountId, running.id);
  }

  allocation(accountId: number): Promise<Allocation | null> {
    return this.#callerCache.allocation(accountId);
  }

  async allocate(request: AllocateRequest): Promise<Allocation | null> {
    const allocation = await this.#allocations.fix(request);
    this.#callerCache.forgetSpendable(request.accountId);
    return allocation;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#batches.idle();
    await this.#pool.end();
  }

  #learn({ caller, keyHash }: ReserveRequest, { reason }: Refusal): void {
    if (reason === 'balance') this.#callerCache.forgetSpendable(caller.accountId);
    if (keyHash !== null && IS_OF_KEY[reason]) this.#callerCache.forgetKey(keyHash);
  }

  async #charge(
    { caller: { accountId, apiKeyId, purse }, idempotency }: ReserveRequest,
    id: string,
    charge: Charge,
  ): Promise<Settled> {
    const keeping = idempotency && charge.replayBody ? await this.#keepingRoom.keeping(charge.replayBody) : null;
    const row: CallRow = {
      kind: 'settle',
      account_id: accountId,
      reservation: id,
      at: this.#clock?.() ?? null,
      purse,
      api_key_id: apiKeyId,
      amount: charge.amountNanoUsd,
      credits: charge.credits,
      units: charge.units ?? charge.credits,
      resource: charge.resource,
      detail: charge.detail,
      request_id: charge.requestId,
      keep_bytes: keeping?.keepBytes ?? null,
      idempotency_key: idempotency?.key ?? null,
    };
    let result: CallOutcome;
    try {
      result = await this.#ask(row, keeping?.body ?? null);
    } catch (error) {
      throw await this.#explain(error, accountId, id);
    }
    if (result.outcome === 'gone') throw reservationLost();
    if (result.outcome !== 'settled') throw unexpected(result);
    const { remainingNanoUsd, isUnkept } = result;
    if (isUnkept && keeping?.body) this.#keepingRoom.givesBack(keeping.body.byteLength);
    return isUnkept ? { remainingNanoUsd, isUnkept } : { remainingNanoUsd };
  }

  async #chargeAhead(running: RowReservation, charge: Charge): Promise<Settled> {
    const { request } = running;
    try {
      const result = await this.#ask(this.#chargeRow(running, charge));
      if (result.outcome === 'settled') {
        if (result.roomNanoUsd === 0) this.#headroom.close(request.caller, performance.now());
        else if (result.roomNanoUsd !== undefined)
          this.#headroom.learn(request.caller, result.roomNanoUsd, performance.now());
        return { remainingNanoUsd: result.remainingNanoUsd };
      }
      if (result.outcome !== 'refused') throw unexpected(result);
      this.#headroom.close(request.caller, performance.now());
      this.#learn(request, result.refusal);
      throw new ChargeRefused(result.refusal);
    } finally {
      this.#headroom.ended(request);
    }
  }

  /** Counts a failed call toward the caller's requests per minute. Runs in the background. */
  #countAhead(running: RowReservation): void {
    const nothing: Charge = {
      amountNanoUsd: 0,
      credits: 0,
      resource: '',
      detail: '',
      requestId: running.id,
      replayBody: null,
    };
    void this.#ask(this.#chargeRow(running, nothing))
      .catch(() => undefined)
      .finally(() => this.#headroom.ended(running.request));
  }

  #chargeRow({ request: { caller, keyHash, now }, id }: RowReservation, charge: Charge): CallRow {
    return {
      kind: 'charge',
      account_id: caller.accountId,
      reservation: id,
      at: this.#clock ? now : null,
      purse: caller.purse,
      key_hash: keyHash,
      api_key_id: caller.apiKeyId,
      amount: charge.amountNanoUsd,
      credits: charge.credits,
      units: charge.units ?? charge.credits,
      lease_ms: this.#leaseMs,
      resource: charge.resource,
      detail: charge.detail,
      request_id: charge.requestId,
    };
  }

  /** If the reservation can still be released, nothing was charged. */
  async #explain(error: unknown, accountId: number, id: string): Promise<unknown> {
    const freed = await this.#free(accountId, id);
    return freed || !isApiError(error) ? error : chargeUnconfirmed(error);
  }

  async #free(accountId: number, id: string): Promise<boolean> {
    const result = await this.#ask({
      kind: 'release',
      account_id: accountId,
      reservation: id,
      at: this.#clock?.() ?? null,
    });
    return result.outcome === 'released';
  }

  #ask(row: CallRow, body: Uint8Array | null = null): Promise<CallOutcome> {
    return new Promise((settle, reject) => {
      const resolve = (outcome: CallOutcome): void => {
        settle(outcome);
        if (outcome.outcome === 'settled') this.#names.see(row.resource ?? '', row.detail ?? '');
      };
      this.#batches.add({ row, body, askedAt: performance.now(), attempts: 0, mayHaveRun: false, resolve, reject });
    });
  }
}

function unexpected({ outcome }: CallOutcome): Error {
  return new Error(`The database returned an unexpected outcome: ${outcome}.`);
}

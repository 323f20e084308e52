import { setImmediate as turn } from 'node:timers/promises';
import type {
  Admission,
  Allocation,
  Charge,
  Meter,
  MeterLimits,
  Refusal,
  Reservation,
  ReserveRequest,
  Settled,
} from '@/lib/server/billing/meter';
import { createAccount } from '@/lib/server/db/accounts';
import { hashApiKey, insertApiKey, type NewApiKey, newApiKeySecret } from '@/lib/server/db/api-keys';
import { grantWithin } from '@/lib/server/db/credits';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { type Database, POTS, type Pot, type Tier } from '@/lib/server/db/schema';

export const UNLIMITED: MeterLimits = {
  requestsPerMinute: { standard: null, paid: null, staff: null },
  creditsPerDay: { standard: null, paid: null, staff: null },
};

type Amounts = Partial<Record<Pot, number>>;

/** Meter on its own store in either database, with the queries that tests make on both databases. */
export abstract class MeteredStore {
  #requests = 0;

  abstract readonly store: { db: Database };
  abstract readonly meter: Meter;
  /** True if a charge counts as soon as it is settled, before its commit. */
  abstract readonly countsUncommitted: boolean;

  /** Drops the meter without closing it, as a crash would, and opens the same store again. */
  abstract reopen(limits?: MeterLimits): Promise<MeteredStore>;

  /** Connects to the store as another process would. The end of the test closes the connection. */
  abstract connect(): Promise<Database>;

  /** Makes the database refuse every charge whose request id has this prefix, with the error "disk full". */
  abstract breakCharges(requestId: string): Promise<void>;

  abstract repairCharges(): Promise<void>;

  /** Creates an account with these balances, each backed by a ledger row. */
  async account(amounts: Amounts = {}, tier: Tier = 'paid'): Promise<number> {
    const { db } = this.store;
    const id = await createAccount(db, { label: 'test', tier });
    for (const pot of POTS) {
      const amount = amounts[pot] ?? 0;
      if (amount === 0) continue;
      if (pot === 'diem') await this.allocate(id, amount);
      else await grantWithin(db, { accountId: id, pot, amountNanoUsd: amount, detail: 'test' });
    }
    await turn();
    return id;
  }

  /** Sets the daily allocation. Grants cannot do that. */
  async allocate(accountId: number, amountNanoUsd: number): Promise<Allocation | null> {
    return this.meter.allocate({ accountId, amountNanoUsd, staked: 1n, pool: 1n });
  }

  async key(accountId: number, settings: Partial<NewApiKey> = {}): Promise<{ id: number; hash: string }> {
    const secret = newApiKeySecret();
    const defaults = {
      type: 'INFERENCE',
      description: '',
      expiresAt: null,
      limitPeriod: 'LIFETIME',
      limitUsdNano: null,
      limitDiemNano: null,
    } as const;
    const id = await insertApiKey(this.store.db, secret, { accountId, ...defaults, ...settings });
    await turn();
    return { id, hash: hashApiKey(secret) };
  }

  request(
    accountId: number,
    maxNanoUsd: number,
    settings: Partial<ReserveRequest> & { key?: { id: number; hash: string } } = {},
  ): ReserveRequest {
    const { key, ...rest } = settings;
    return {
      caller: { accountId, apiKeyId: key?.id ?? null, purse: 'account' },
      keyHash: key?.hash ?? null,
      maxNanoUsd,
      maxCredits: 20,
      idempotency: null,
      now: Date.now(),
      ...rest,
    };
  }

  async reserve(request: ReserveRequest): Promise<Admission> {
    return this.meter.reserve(request);
  }

  /** Reserves, and throws if the request is refused. */
  async admit(request: ReserveRequest): Promise<Reservation> {
    const admission = await this.meter.reserve(request);
    if (admission.outcome !== 'admitted') throw new Error(`Not admitted: ${JSON.stringify(admission)}`);
    return admission.reservation;
  }

  /** Returns the reason for which the meter refuses a request. Throws if the meter admits the request. */
  async refusal(request: ReserveRequest): Promise<Refusal> {
    const admission = await this.meter.reserve(request);
    if (admission.outcome !== 'refused') throw new Error(`Not refused, but ${admission.outcome}`);
    return admission.refusal;
  }

  /** Settles a reservation. Also rejects for errors that the meter throws synchronously. */
  async settle(reservation: Reservation, amountNanoUsd: number, charge: Partial<Charge> = {}): Promise<Settled> {
    const requestId = `r${this.#requests++}`;
    return this.meter.settle(reservation, {
      amountNanoUsd,
      credits: 20,
      resource: 'rpc/test',
      detail: 'm',
      requestId,
      replayBody: null,
      ...charge,
    });
  }

  /** Reserves and charges the maximum. */
  async charge(request: ReserveRequest, charge: Partial<Charge> = {}): Promise<Settled> {
    return this.settle(await this.admit(request), request.maxNanoUsd, charge);
  }

  async spendable(accountId: number): Promise<number> {
    return this.meter.spendable({ accountId, apiKeyId: null, purse: 'account' });
  }

  async balances(accountId: number): Promise<Record<Pot, number>> {
    const { diem, bundled, usd, x402 } = await this.store.db
      .selectFrom('meters')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return { diem, bundled, usd, x402 };
  }

  /** Returns the charges in the ledger as pot, amount, and balance after the charge. */
  async charges(accountId: number): Promise<[Pot, number, number][]> {
    const rows = await this.store.db
      .selectFrom('ledger')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('kind', '=', 'CHARGE')
      .orderBy('id')
      .execute();
    return rows.map(({ pot, amount, balance_after: after }) => [pot, amount, after]);
  }

  /** Returns the units of the charges in the ledger, in order. */
  async units(accountId: number): Promise<number[]> {
    const rows = await this.store.db
      .selectFrom('ledger')
      .select('units')
      .where('account_id', '=', accountId)
      .where('kind', '=', 'CHARGE')
      .orderBy('id')
      .execute();
    return rows.map(({ units }) => units);
  }

  /** Returns the faults that `ledger check` finds. */
  async faults(): Promise<string[]> {
    return (await checkLedger(this.store.db)).faults;
  }
}

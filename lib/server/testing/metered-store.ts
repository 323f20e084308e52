import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Charge, MeterLimits, Refusal, Reservation, ReserveRequest } from '../metering/meter';
import { SqliteMeter } from '../metering/sqlite/sqlite-meter';
import { createAccount } from '../store/accounts';
import { hashApiKey, insertApiKey, type NewApiKey, newApiKeySecret } from '../store/api-keys';
import { grantWithin } from '../store/grants';
import { checkLedger } from '../store/ledger-check';
import { POTS, type Pot, type Tier } from '../store/schema';
import { openSqlite, type SqliteStore } from '../store/sqlite/open';
import { tempFolder } from './temp-folder';

export const UNLIMITED: MeterLimits = {
  requestsPerMinute: { standard: null, paid: null, staff: null },
  creditsPerDay: { standard: null, paid: null, staff: null },
};

type Amounts = Partial<Record<Pot, number>>;

/** A meter on a store in a temporary folder, and the questions that tests ask of both. */
export class MeteredStore {
  #requests = 0;

  private constructor(
    readonly dataDir: string,
    readonly store: SqliteStore,
    readonly meter: SqliteMeter,
  ) {}

  /** Closed with the test. `dataDir` opens the folder of an earlier one again. */
  static async open(limits: MeterLimits = UNLIMITED, dataDir = tempFolder()): Promise<MeteredStore> {
    const store = await openSqlite(dataDir, { exclusive: true });
    const opened = new MeteredStore(dataDir, store, new SqliteMeter(store.meterConnection, limits));
    onTestFinished(() => store.close());
    return opened;
  }

  /** Ends the meter without a word, as a crash does, and opens the folder anew. */
  async reopen(limits: MeterLimits = UNLIMITED): Promise<MeteredStore> {
    await this.store.close();
    return MeteredStore.open(limits, this.dataDir);
  }

  /** An account with this much in its pots, each amount backed by a ledger row. */
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

  /** Puts money into the daily pot, which no grant does. */
  async allocate(accountId: number, amount: number): Promise<void> {
    const { db } = this.store;
    await db.updateTable('meters').set({ diem: amount }).where('account_id', '=', accountId).execute();
    const row = { account_id: accountId, pot: 'diem', kind: 'GRANT', amount, balance_after: amount, api_key_id: null, resource: 'allocation', detail: '', units: 0, request_id: '', created_at: Date.now() } as const;
    await db.insertInto('ledger').values(row).execute();
  }

  async key(accountId: number, settings: Partial<NewApiKey> = {}): Promise<{ id: number; hash: string }> {
    const secret = newApiKeySecret();
    const defaults = { type: 'INFERENCE', description: '', expiresAt: null, limitPeriod: 'LIFETIME', limitUsdNano: null, limitDiemNano: null } as const;
    const id = await insertApiKey(this.store.db, secret, { accountId, ...defaults, ...settings });
    await turn();
    return { id, hash: hashApiKey(secret) };
  }

  request(accountId: number, maxNanoUsd: number, settings: Partial<ReserveRequest> & { key?: { id: number; hash: string } } = {}): ReserveRequest {
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

  /** Reserves what must be admitted. */
  admit(request: ReserveRequest): Reservation {
    const admission = this.meter.reserve(request);
    if (admission.outcome !== 'admitted') throw new Error(`Not admitted: ${JSON.stringify(admission)}`);
    return admission.reservation;
  }

  /** Why a request is not admitted. */
  refusal(request: ReserveRequest): Refusal {
    const admission = this.meter.reserve(request);
    if (admission.outcome !== 'refused') throw new Error(`Not refused, but ${admission.outcome}`);
    return admission.refusal;
  }

  settle(reservation: Reservation, amountNanoUsd: number, charge: Partial<Charge> = {}): Promise<void> {
    const requestId = `r${this.#requests++}`;
    return this.meter.settle(reservation, { amountNanoUsd, credits: 20, resource: 'rpc/test', detail: 'm', requestId, replayBody: null, ...charge });
  }

  /** Reserves and charges the same amount. */
  charge(request: ReserveRequest, charge: Partial<Charge> = {}): Promise<void> {
    return this.settle(this.admit(request), request.maxNanoUsd, charge);
  }

  spendable(accountId: number): number {
    return this.meter.spendable({ accountId, apiKeyId: null, purse: 'account' });
  }

  async balances(accountId: number): Promise<Record<Pot, number>> {
    const { diem, bundled, usd, x402 } = await this.store.db.selectFrom('meters').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow();
    return { diem, bundled, usd, x402 };
  }

  /** The charges in the ledger: pot, amount, balance after it. */
  async charges(accountId: number): Promise<[Pot, number, number][]> {
    const rows = await this.store.db.selectFrom('ledger').selectAll().where('account_id', '=', accountId).where('kind', '=', 'CHARGE').orderBy('id').execute();
    return rows.map(({ pot, amount, balance_after: after }) => [pot, amount, after]);
  }

  /** What `ledger check` finds wrong. */
  async faults(): Promise<string[]> {
    return (await checkLedger(this.store.db)).faults;
  }
}

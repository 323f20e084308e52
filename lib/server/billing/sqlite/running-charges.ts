import type { DatabaseSync } from 'node:sqlite';
import type { Purse } from '../../auth/caller';
import type { Charge, ReserveRequest } from '../meter';

interface Row {
  request_id: string;
  account_id: number;
  api_key_id: number | null;
  key_hash: string | null;
  purse: Purse;
  amount: number;
  resource: string;
  detail: string;
  units: number;
}

/** Stores checkpoints of long calls. After a crash, the gateway charges the checkpoints at its next start. */
export class RunningCharges {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(connection: DatabaseSync) {
    this.#statements = prepare(connection);
  }

  write(
    { caller, keyHash }: ReserveRequest,
    { requestId, amountNanoUsd, resource, detail, credits, units = credits }: Charge,
  ): void {
    this.#statements.write.run(
      requestId,
      caller.accountId,
      caller.apiKeyId,
      keyHash,
      caller.purse,
      amountNanoUsd,
      resource,
      detail,
      units,
    );
  }

  forget(requestId: string): void {
    this.#statements.forget.run(requestId);
  }

  left(now: number): { request: ReserveRequest; charge: Charge }[] {
    return (this.#statements.all.all() as unknown as Row[]).map((row) => ({
      request: {
        caller: { accountId: row.account_id, apiKeyId: row.api_key_id, purse: row.purse },
        keyHash: row.key_hash,
        maxNanoUsd: row.amount,
        maxCredits: 0,
        uncapped: true,
        idempotency: null,
        now,
      },
      charge: {
        amountNanoUsd: row.amount,
        credits: 0,
        units: row.units,
        resource: row.resource,
        detail: row.detail,
        requestId: row.request_id,
        replayBody: null,
      },
    }));
  }
}

function prepare(connection: DatabaseSync) {
  return {
    write: connection.prepare(
      'insert or replace into running_charges (request_id, account_id, api_key_id, key_hash, purse, amount, resource, detail, units) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    forget: connection.prepare('delete from running_charges where request_id = ?'),
    all: connection.prepare('select * from running_charges order by request_id'),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/schema';

const LEASE_MS = 30_000;
const WAIT_MS_MAX = 20_000;
const POLL_MS = 20;

/** Error if another process uses this signing key and does not finish in time. */
class SignerBusy extends Error {
  override readonly name = 'SignerBusy';
}

interface LastSent {
  nextNonce: number;
  usedAt: number;
}

/**
 * Lets processes that share a store send transactions with a signing key one at a time. If two transactions had the
 * same nonce, one of them would be lost. A process leases the key's row, so a dead process delays the others by at most
 * the lease.
 */
export class SignerTurns {
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor(
    private readonly db: Database,
    private readonly owner: string,
  ) {}

  /**
   * Runs `send` when it is this process's turn, and stores the next nonce.
   * @throws SignerBusy, or the error of `send`
   */
  take<Result>(key: string, send: (last: LastSent) => Promise<{ nextNonce: number; result: Result }>): Promise<Result> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(() => this.#run(key, send));
    this.#tails.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #run<Result>(
    key: string,
    send: (last: LastSent) => Promise<{ nextNonce: number; result: Result }>,
  ): Promise<Result> {
    let last = await this.#lease(key);
    try {
      const { nextNonce, result } = await send(last);
      last = { nextNonce, usedAt: Date.now() };
      return result;
    } finally {
      await this.db
        .updateTable('payment_signers')
        .set({ next_nonce: last.nextNonce, used_at: last.usedAt, lease_owner: null, lease_until: 0 })
        .where('key', '=', key)
        .where('lease_owner', '=', this.owner)
        .execute();
    }
  }

  async #lease(key: string): Promise<LastSent> {
    await this.db
      .insertInto('payment_signers')
      .values({ key, lease_owner: null })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    const deadline = performance.now() + WAIT_MS_MAX;
    while (performance.now() < deadline) {
      const now = Date.now();
      const row = await this.db
        .updateTable('payment_signers')
        .set({ lease_owner: this.owner, lease_until: now + LEASE_MS })
        .where('key', '=', key)
        .where((each) => each.or([each('lease_owner', 'is', null), each('lease_until', '<', now)]))
        .returning(['next_nonce', 'used_at'])
        .executeTakeFirst();
      if (row) return { nextNonce: row.next_nonce, usedAt: row.used_at };
      await sleep(POLL_MS);
    }
    throw new SignerBusy('Another process is sending with this key.');
  }
}

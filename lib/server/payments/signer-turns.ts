import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/schema';

const LEASE_MS = 30_000;
const WAIT_MS_MAX = 20_000;
const POLL_MS = 20;

/** Another process sends with this key, and did not come to an end in time. */
export class SignerBusy extends Error {
  override readonly name = 'SignerBusy';
}

/** What the store remembers of a key's last transaction. */
export interface LastSent {
  nextNonce: number;
  /** Unix milliseconds; 0 for never. */
  usedAt: number;
}

/**
 * Lets one caller at a time send with a key, over all processes of a store: two that count the same nonce would
 * lose one of two transactions. Within the process callers queue; between processes the key's row is leased. A
 * process that dies in its turn is waited for no longer than the lease.
 */
export class SignerTurns {
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor(
    private readonly db: Database,
    /** Names this process. */
    private readonly owner: string,
  ) {}

  /**
   * Runs `send` in its turn. The nonce that it returns is remembered for the next.
   * @throws SignerBusy, or what `send` threw.
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

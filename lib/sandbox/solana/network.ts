import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from '@/lib/protocol/networks';
import type { SandboxLog } from '../log';
import { SolanaChain } from './chain';
import { Ledger } from './ledger';

/** Longer than a sandbox that was told to end takes to let go of its files. */
const WAIT_MS_MAX = 7_000;
const POLL_MS = 50;
const UNREADABLE = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/** One Solana network's stand-in: not open until it is first used, and its ledger kept in `folder`. */
export class SolanaNetwork {
  #opening: Promise<SolanaChain> | undefined;
  #chain: SolanaChain | undefined;
  readonly #stopping = new AbortController();

  constructor(
    readonly network: Network,
    private readonly folder: string,
    private readonly log: SandboxLog,
    private readonly onOpened: () => void = () => undefined,
  ) {}

  get started(): boolean {
    return this.#chain !== undefined;
  }

  /**
   * The chain, with the state that it was left in; callers at one time share one opening.
   *
   * @throws {Error} saying why it could not be opened; the next call tries again
   */
  ready(): Promise<SolanaChain> {
    if (this.#chain) return Promise.resolve(this.#chain);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Lets go of it, for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#opening?.catch(() => undefined);
    const chain = this.#chain;
    this.#chain = undefined;
    await chain?.close();
  }

  async #open(): Promise<SolanaChain> {
    if (this.#stopping.signal.aborted) throw new Error('the sandbox is stopping');
    const startedAtMs = performance.now();
    const chain = new SolanaChain(await this.#openLedger());
    this.#chain = chain;
    const { transactions } = chain.ledger.totals();
    this.log.info(
      `chain ${this.network.slug} opened in ${Math.round(performance.now() - startedAtMs)} ms, slot ${chain.clock.now()}, ${transactions} transactions`,
    );
    this.onOpened();
    return chain;
  }

  async #openLedger(): Promise<Ledger> {
    const file = path.join(this.folder, 'ledger.db');
    const deadlineMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      try {
        return new Ledger(file);
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== undefined && UNREADABLE.includes(code)) await this.#setAside(file, error as Error);
        else if (code !== 'SQLITE_BUSY') throw error;
        else if (performance.now() > deadlineMs)
          throw new Error('another sandbox is running it on the same data folder', { cause: error });
        else await sleep(POLL_MS, undefined, { signal: this.#stopping.signal });
      }
    }
  }

  /** Moves a ledger that cannot be read out of the way, with its log, and keeps it. */
  async #setAside(file: string, why: Error): Promise<void> {
    const keptAs = `refused-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`;
    await fs.rename(file, path.join(this.folder, keptAs));
    await fs.rename(`${file}-wal`, path.join(this.folder, `${keptAs}-wal`)).catch(() => undefined);
    this.log.warn(
      `chain ${this.network.slug}: its ledger could not be read and was moved to ${keptAs}; the chain starts anew (${why.message})`,
    );
  }
}

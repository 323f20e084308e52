import { type Network, NETWORKS } from '@/lib/protocol/networks';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxLog } from '../log';
import { SolanaChain } from './chain';
import { Ledger } from './ledger';

/** Maximum wait for another sandbox's lock: longer than a sandbox takes to close its files. */
const WAIT_MS_MAX = 7_000;
const POLL_MS = 50;
/** SQLite's result codes (https://sqlite.org/rescode.html). */
const BUSY = 5;
const UNREADABLE = [11, 26];

/** Simulated Solana network. Opened on first use, with its ledger in `folder`. */
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
   * Returns the chain in its last state. Concurrent callers share one opening.
   *
   * @throws {Error} with the reason if the chain could not be opened. The next call retries.
   */
  ready(): Promise<SolanaChain> {
    if (this.#chain) return Promise.resolve(this.#chain);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

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
        const { errcode } = error as { errcode?: number };
        if (errcode !== undefined && UNREADABLE.includes(errcode)) await this.#setAside(file, error as Error);
        else if (errcode !== BUSY) throw error;
        else if (performance.now() > deadlineMs)
          throw new Error('another sandbox is running it on the same data folder', { cause: error });
        else await sleep(POLL_MS, undefined, { signal: this.#stopping.signal });
      }
    }
  }

  /** Renames an unreadable ledger and its write-ahead log, so that neither is lost. */
  async #setAside(file: string, why: Error): Promise<void> {
    const keptAs = `refused-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`;
    await fs.rename(file, path.join(this.folder, keptAs));
    await fs.rename(`${file}-wal`, path.join(this.folder, `${keptAs}-wal`)).catch(() => undefined);
    this.log.warn(
      `chain ${this.network.slug} starts empty, because its ledger could not be read (${why.message}); the file was kept as ${keptAs}`,
    );
  }
}

export type SolanaNetworks = ReadonlyMap<string, SolanaNetwork>;

/** Creates the Solana networks without opening them. Each network has its own state folder under `dataDir`. */
export function createSolanaNetworks(
  dataDir: string,
  log: SandboxLog,
  onOpened: () => void = () => undefined,
): SolanaNetworks {
  return new Map(
    NETWORKS.filter(({ kind }) => kind === 'solana').map((network) => [
      network.slug,
      new SolanaNetwork(network, path.join(dataDir, 'solana', network.slug), log, onOpened),
    ]),
  );
}

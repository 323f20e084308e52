import { type Network, NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'undici';
import type { SandboxLog } from '../log';
import { anvilBinary, type AnvilProcess, AnvilStartError, startAnvil } from './anvil-process';
import { type ChainRpc, chainRpc, mayChange, mined, untilMined } from './chain-rpc';
import { deployContracts } from './contracts';
import { DurableState, StateFile } from './durable-state';
import { FaucetAccount } from './faucet-account';
import { FolderOwner } from './folder-owner';
import { placeMulticall3 } from './multicall3';
import { hasContracts } from './tokens';

export type EvmNetwork = Network & { chainId: number };

export interface RunningChain {
  pid: number;
  pool: Pool;
  /** Sends a JSON-RPC request to the chain. Resolves once the state that the answer shows is on disk. */
  rpc: ChainRpc;
  /** State of the chain. Changes through `pool` or `faucet` must run inside `state.write`. */
  state: DurableState;
  /** Resolves once no transaction is pending, or after 2 s. Never rejects. */
  afterChange: () => Promise<void>;
  faucet: FaucetAccount;
}

/** An empty state loads in under 0.2 s; a large state takes much longer. */
const START_TIMEOUT_MS = 20_000;
const STOP_GRACE_MS = 4_000;
const HEARTBEAT_MS = 1_000;
const MINED_WAIT_MS_MAX = 10_000;

/** Simulated chain. Starts on first use and keeps its state in `folder`. */
export class Chain {
  readonly #state: StateFile;
  readonly #owner: FolderOwner;
  readonly #stopping = new AbortController();
  #starting: Promise<RunningChain> | undefined;
  #running: { chain: RunningChain; anvil: AnvilProcess } | undefined;

  constructor(
    readonly network: EvmNetwork,
    folder: string,
    private readonly log: SandboxLog,
  ) {
    this.#state = new StateFile(folder);
    this.#owner = new FolderOwner(folder);
  }

  get started(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Returns the running chain, with Multicall3, any sandbox contracts and a funded faucet. Starts the chain if needed.
   * Concurrent callers share one start.
   *
   * @throws {Error} with the reason if the chain could not start. The next call retries.
   */
  ready(): Promise<RunningChain> {
    if (this.#running) return Promise.resolve(this.#running.chain);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Writes the state and stops the chain permanently. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting?.catch(() => undefined);
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    const { chain, anvil } = running;
    await chain.state
      .settled()
      .catch((error: Error) => this.log.warn(`saving chain ${this.network.slug} failed: ${error.message}`));
    await anvil.stop(STOP_GRACE_MS);
    await this.#owner.clear();
    this.log.info(`chain ${this.network.slug} stopped`);
  }

  async #start(): Promise<RunningChain> {
    if (this.#stopping.signal.aborted) throw new Error('the sandbox is stopping');
    const startedAtMs = performance.now();
    await fs.mkdir(this.#state.folder, { recursive: true });
    await this.#owner.waitUntilFree(this.#stopping.signal);
    const anvil = await this.#startOnBestState();
    try {
      const chain = await this.#prepare(anvil);
      this.#running = { chain, anvil };
      this.#watch(anvil);
      const tookMs = Math.round(performance.now() - startedAtMs);
      this.log.info(
        `chain ${this.network.slug} (chain id ${this.network.chainId}, pid ${anvil.pid}) started in ${tookMs} ms`,
      );
      return chain;
    } catch (error) {
      await anvil.stop(STOP_GRACE_MS);
      throw error;
    }
  }

  async #startOnBestState(): Promise<AnvilProcess> {
    const stateFile = await this.#state.unpack();
    try {
      return await this.#startAnvil(stateFile);
    } catch (error) {
      if (!(error instanceof AnvilStartError && error.isStateRefused)) throw error;
      const keptAs = await this.#state.setAside();
      this.log.warn(
        `chain ${this.network.slug} starts empty, because its saved state could not be read (${error.message}); the file was kept as ${keptAs}`,
      );
      return this.#startAnvil(undefined);
    }
  }

  async #startAnvil(stateFile: string | undefined): Promise<AnvilProcess> {
    const historyFolder = path.join(this.#state.folder, 'history');
    await fs.rm(historyFolder, { recursive: true, force: true });
    let noted: Promise<void> | undefined;
    const starting = startAnvil({
      binary: anvilBinary(),
      chainId: this.network.chainId,
      stateFile,
      historyFolder,
      timeoutMs: START_TIMEOUT_MS,
      signal: this.#stopping.signal,
      onSpawn: (pid) => {
        noted = this.#owner.set(pid);
      },
    });
    try {
      return await starting;
    } finally {
      await noted;
    }
  }

  async #prepare(anvil: AnvilProcess): Promise<RunningChain> {
    const pool = new Pool(anvil.url, { connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000 });
    void anvil.ended.then(() => pool.destroy());
    const rpc = chainRpc(pool);
    // With logging on, anvil would write each call to its standard output, which nobody reads.
    await rpc('anvil_setLoggingEnabled', [false]);
    await placeMulticall3(rpc);
    const faucet = await FaucetAccount.open(rpc);
    const state = new DurableState(async () =>
      this.#state.write(Buffer.from(((await rpc('anvil_dumpState', [])) as string).slice(2), 'hex')),
    );
    if (hasContracts(this)) {
      const send = async (transaction: Readonly<Record<string, string>>) =>
        mined(rpc, await faucet.send(transaction), MINED_WAIT_MS_MAX);
      await state.write(() => deployContracts(rpc, send));
    }
    const afterChange = () => untilMined(rpc).catch(() => undefined);
    return { pid: anvil.pid, pool, rpc: durableRpc(rpc, state, afterChange), state, afterChange, faucet };
  }

  #watch(anvil: AnvilProcess): void {
    const timer = setInterval(() => void this.#owner.touch(), HEARTBEAT_MS);
    timer.unref();
    void anvil.ended.then((end) => {
      clearInterval(timer);
      if (this.#running?.anvil !== anvil) return;
      this.#running = undefined;
      this.log.warn(`chain ${this.network.slug} ended with ${end}; the next call restarts it`);
    });
  }
}

function durableRpc(rpc: ChainRpc, state: DurableState, afterChange: () => Promise<void>): ChainRpc {
  return async (method, params) => {
    const change = async () => {
      try {
        return await rpc(method, params);
      } finally {
        await afterChange();
      }
    };
    const answer = await (mayChange(method) ? state.write(change) : rpc(method, params));
    await state.settled();
    return answer;
  };
}

/** Simulated chains by network slug: the sandbox's own chain first, then the other EVM networks. */
export type Chains = ReadonlyMap<string, Chain>;

/** Creates the chains without starting them. Each chain has its own state folder under `dataDir`. */
export function createChains(dataDir: string, log: SandboxLog): Chains {
  return new Map(
    [SANDBOX_TESTNET, ...NETWORKS]
      .filter(isEvm)
      .map((network) => [network.slug, new Chain(network, path.join(dataDir, 'evm', network.slug), log)]),
  );
}

function isEvm(network: Network): network is EvmNetwork {
  return network.kind === 'evm' && network.chainId !== null;
}

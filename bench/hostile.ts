import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFunctionData } from 'viem';
import { standInChains } from '@/attack/chains/chains';
import { evmReader, fundedEvmAccount, sendEvm } from '@/attack/chains/evm-account';
import { SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { sandboxModels } from '@/lib/sandbox/inference/sandbox-models';
import { prepareSandboxRail, sandboxRails } from '@/lib/sandbox/payment-rails';
import { createHash } from 'node:crypto';
import { HOG_KINDS, HOGGED, HOGS, HOSTILE, HOSTILE_KINDS, type HostileScene } from './hostile-requests';
import { ELSEWHERE_PRIORITY, type HostileResult } from './hostile-sender';
import { hostileFigures, type HostileFigures, type HostileWindow } from './hostile-figures';
import { type LoadSamples, quantile, rpcRequest, sampleLoad } from './load';
import { watchOthers } from './others-load';
import { type Program, startGateway, startRole, startSandbox, UNLIMITED } from './programs';
import { READS } from './workloads';

export const HOSTILE_LOAD = 'hostile';

const CALLERS = 216;
/** Number of paying callers who request large answers. It is large enough that no limit per caller stops the attack. */
const HOG_KEYS = 16;
const CONNECTIONS = 4;
const WARM_UP_SECONDS = 5;
const RATIO_MAX = 3;
/** Minimum number of samples in an idle window, so that 200 of them are above the p99. */
const IDLE_SAMPLES_MIN = 20_000;
const IDLE_SECONDS_MAX = 30;
/** Pause after one kind of attack, before the next idle window. Writing stored answers takes up to 8 s. */
const SETTLE_MS = { hogs: 10_000, others: 500 } as const;

/** Results of all kinds of attack, and how busy other processes kept the machine. */
export interface HostileResults extends HostileFigures {
  rounds: number;
  /**
   * Share of processor time that other processes used, from 0 to 1, in the median and in the worst window. Null if
   * unknown.
   */
  others: { median: number; worst: number } | null;
}

type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

/**
 * Measures reads of paying callers, first idle and then during hostile requests of each kind. The hostile requests come
 * from a separate process. Each round runs all kinds.
 */
export async function measureHostile(
  kinds: readonly string[],
  { rounds, seconds }: { rounds: number; seconds: number },
  track: Track,
  progress: (text: string) => void,
): Promise<HostileResults> {
  progress('starting a gateway to be attacked');
  const { scene, port, requests } = await openScene(track);
  const load = async (isOver: () => boolean, length: number) =>
    allPaid(await sampleLoad({ port, connections: CONNECTIONS, seconds: length, requests, isOver }));
  await load(() => false, WARM_UP_SECONDS);
  const windows: HostileWindow[] = [];
  const others: (number | null)[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const kind of kinds) {
      progress(`${HOSTILE_LOAD}, round ${round} of ${rounds}, ${kind}`);
      const sender = await startSender(kind, scene);
      await sleep(SETTLE_MS.others);
      const share = watchOthers();
      const idleMs = await idleSamples(load, seconds);
      let isOver = false;
      const fired = sender.fire().finally(() => (isOver = true));
      const { latenciesMs: firedMs } = await load(() => isOver, HOGS.seconds * 2);
      windows.push({ kind, idleMs, firedMs, ...(await fired) });
      others.push(share());
      if (HOG_KINDS.has(kind)) await sleep(SETTLE_MS.hogs);
    }
  }
  progress('');
  return { ...hostileFigures(windows), rounds, others: spread(others) };
}

/** @throws Error if the gateway refused a read, because a refusal costs nothing and would distort the latencies */
function allPaid(samples: LoadSamples): LoadSamples {
  if (samples.refused > 0)
    throw new Error(
      `${samples.refused} of ${samples.latenciesMs.length} reads of paying callers were refused, so the latencies are not valid.`,
    );
  return samples;
}

/** Samples a load for `seconds`, then until there are enough samples, but not longer than `IDLE_SECONDS_MAX`. */
async function idleSamples(
  load: (isOver: () => boolean, seconds: number) => Promise<LoadSamples>,
  seconds: number,
): Promise<number[]> {
  const samplesMs: number[] = [];
  const startedMs = performance.now();
  const elapsed = (): number => (performance.now() - startedMs) / 1000;
  while (elapsed() < seconds || (samplesMs.length < IDLE_SAMPLES_MIN && elapsed() < IDLE_SECONDS_MAX))
    samplesMs.push(...(await load(() => false, 1)).latenciesMs);
  return samplesMs;
}

function spread(shares: readonly (number | null)[]): HostileResults['others'] {
  const known = Float64Array.from(shares.filter((share) => share !== null)).sort();
  return known.length === 0 ? null : { median: quantile(known, 0.5), worst: quantile(known, 1) };
}

/** Renders the baseline and a row per kind as Markdown; empty if nothing was measured. */
export function renderHostile(results: HostileResults | null): string {
  if (results === null) return '';
  const { idle, rows, rounds, others } = results;
  const lines = rows.map(
    ({ kind, firedP99Ms, ratio, sent, statuses }) =>
      `| ${kind} | ${sent} | ${firedP99Ms.toFixed(2)} | ${ratio.toFixed(2)} | ${verdictOf(ratio, sent)} | ${statuses} |`,
  );
  const setting = `Reads of paying callers on ${CONNECTIONS} connections, each of which sends its next request when the last one is answered. Hostile requests come from a separate process, ${HOSTILE.concurrency} at once, at most ${HOSTILE.perSecond} a second and for ${HOSTILE.seconds} s (kinds with large answers: ${HOGS.perSecond} a second, for ${HOGS.seconds} s), each from a different address. Each round runs all kinds. The p99 of a kind is the median of ${rounds} rounds.`;
  const baseline = `Idle means the same load without hostile requests, in a window of at least ${IDLE_SAMPLES_MIN} answers before each kind. The gateway, its nodes and the waiting sender all run in that window. Idle p99: ${idle.p99Ms.toFixed(2)} ms, the lower of ${idle.pooledP99Ms.toFixed(2)} (all ${idle.samples} idle answers together) and ${idle.medianP99Ms.toFixed(2)} (the median of ${idle.windows} windows, from ${idle.lowestP99Ms.toFixed(2)} to ${idle.highestP99Ms.toFixed(2)}).`;
  const quiet = others
    ? ` Other processes used ${percent(others.median)} of the processors (median), and ${percent(others.worst)} in the worst window.`
    : '';
  return [
    `${setting} ${baseline}${quiet} The limit for the p99 under attack is ${RATIO_MAX} times the idle p99.`,
    '',
    '| hostile requests | sent | p99 ms under attack | × idle | limit | answers |',
    '|---|--:|--:|--:|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function verdictOf(ratio: number, sent: number): string {
  if (ratio >= RATIO_MAX) return 'beyond';
  return sent < HOSTILE.requests ? 'too few sent' : 'within';
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

async function openScene(track: Track): Promise<{ scene: HostileScene; port: number; requests: Buffer[] }> {
  const sandbox = track(await startSandbox());
  // Must come before the sandbox starts a chain, because chains inherit the sandbox's priority.
  setPriority(sandbox.pid, ELSEWHERE_PRIORITY);
  const stub = track(await startRole('stub'));
  const hogged = track(await startRole('stub'));
  setPriority(hogged.pid, ELSEWHERE_PRIORITY);
  const sandboxUrl = `http://127.0.0.1:${sandbox.port}`;
  const derive = (label: string): Uint8Array => createHash('sha256').update(`bench ${label}`).digest();
  const rails = sandboxRails(derive);
  for (const { network } of rails) await prepareSandboxRail(sandboxUrl, network, derive);
  const networks = Object.fromEntries(
    rails.map(({ family, rpcNetwork }) => [
      rpcNetwork,
      { upstreams: [`${sandboxUrl}/${family}/${rpcNetwork}`], chainIdentity: false },
    ]),
  );
  const hogs = { [HOGGED.network]: { upstreams: [`http://127.0.0.1:${hogged.port}/${HOGGED.chainId}`] } };
  const config = {
    trustProxyHops: 1,
    limits: UNLIMITED,
    networks: { ...networks, ...hogs },
    payments: { rails },
    inference: await sandboxModels(sandboxUrl),
  };
  const { port, keys } = track(
    await startGateway({
      upstreamUrl: `http://127.0.0.1:${stub.port}`,
      entry: 'fast',
      callers: CALLERS,
      wallets: 0,
      config,
    }),
  );
  const payers = keys.slice(HOG_KEYS);
  const requests = payers.map((key, index) =>
    rpcRequest({
      path: '/api/v1/crypto/rpc/ethereum-mainnet',
      body: READS.body(index),
      credential: `Authorization: Bearer ${key}`,
    }),
  );
  return {
    scene: {
      url: `http://localhost:${port}`,
      sandboxUrl,
      keys: keys.slice(0, HOG_KEYS),
      contract: await deployWallet(sandboxUrl),
    },
    port,
    requests,
  };
}

async function deployWallet(sandboxUrl: string): Promise<string> {
  const chains = standInChains(sandboxUrl);
  const owner = await fundedEvmAccount(chains);
  const args = [owner.address, `0x${'be'.repeat(32)}`] as const;
  await sendEvm(chains, owner, {
    to: SANDBOX_CONTRACTS.smartWalletFactory,
    data: encodeFunctionData({ abi: SMART_WALLET_FACTORY_ABI, functionName: 'createWallet', args }),
  });
  return evmReader(chains).readContract({
    address: SANDBOX_CONTRACTS.smartWalletFactory,
    abi: SMART_WALLET_FACTORY_ABI,
    functionName: 'addressOf',
    args,
  });
}

/** Starts a sender that is ready and sends when `fire` is called. */
async function startSender(kind: string, scene: HostileScene): Promise<{ fire(): Promise<HostileResult> }> {
  const child = fork(process.argv[1] as string, ['--role=hostile', kind, JSON.stringify(scene)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await heard(child);
  return {
    fire: () => {
      child.send('fire');
      return heard(child) as Promise<HostileResult>;
    },
  };
}

function heard(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null): void => reject(new Error(`A hostile sender ended with code ${code}.`));
    child.once('exit', end);
    child.once('message', (message) => {
      child.removeListener('exit', end);
      resolve(message);
    });
  });
}

/** Returns the kinds named on the command line; all by default. @throws Error for an unknown kind */
export function hostileKinds(list: string | undefined): string[] {
  const all = Object.keys(HOSTILE_KINDS);
  const named = list?.split(',') ?? all;
  const unknown = named.find((kind) => !all.includes(kind));
  if (unknown !== undefined)
    throw new Error(
      `There is no kind of hostile requests ${JSON.stringify(unknown)}. The kinds are ${all.join(', ')}.`,
    );
  return named;
}

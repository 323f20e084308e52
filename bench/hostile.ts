import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { encodeFunctionData } from 'viem';
import { standInChains } from '@/attack/chains/chains';
import { evmReader, fundedEvmAccount, sendEvm } from '@/attack/chains/evm-account';
import { SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { sandboxModels } from '@/lib/sandbox/inference/sandbox-models';
import { prepareSandboxRail, sandboxRails } from '@/lib/sandbox/payment-rails';
import { createHash } from 'node:crypto';
import { HOG_PER_SECOND, HOGGED, HOSTILE, HOSTILE_KINDS, type HostileScene } from './hostile-requests';
import { ELSEWHERE_PRIORITY, type HostileResult } from './hostile-sender';
import { rpcRequest, runLoad } from './load';
import { type Program, startGateway, startRole, startSandbox } from './programs';
import { READS } from './workloads';

/** The name of the workload. */
export const HOSTILE_LOAD = 'hostile';

const CALLERS = 216;
/** Callers of them who pay, and hog: enough that no limit of one ends the attack. */
const HOGS = 16;
const CONNECTIONS = 4;
const WARM_UP_SECONDS = 2;
const RATIO_MAX = 3;

/** What a paying caller feels of one kind of hostile requests. */
export interface HostileRow extends HostileResult {
  kind: string;
  idleP99Ms: number;
  firedP99Ms: number;
}

type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

/** Measures reads of paying callers, idle and then while hostile requests of each kind come from a process of their own. */
export async function measureHostile(kinds: readonly string[], { rounds, seconds }: { rounds: number; seconds: number }, track: Track, progress: (text: string) => void): Promise<HostileRow[]> {
  progress('starting a gateway to be attacked');
  const { scene, port, requests } = await openScene(track);
  const load = (isOver?: () => boolean) => runLoad({ port, connections: CONNECTIONS, seconds: isOver ? HOSTILE.seconds * 2 : seconds, requests, ...(isOver && { isOver }) });
  await runLoad({ port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS, requests });
  const rows: HostileRow[] = [];
  for (const kind of kinds) {
    const taken: HostileRow[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`${HOSTILE_LOAD}, ${kind}, round ${round} of ${rounds}`);
      const sender = await startSender(kind, scene);
      const { p99Ms: idleP99Ms } = await load();
      let isOver = false;
      const fired = sender.fire().finally(() => (isOver = true));
      const { p99Ms: firedP99Ms } = await load(() => isOver);
      taken.push({ kind, idleP99Ms, firedP99Ms, ...(await fired) });
    }
    rows.push(medianOf(taken));
  }
  progress('');
  return rows;
}

/** A row a kind, in Markdown; nothing for none. */
export function renderHostile(rows: readonly HostileRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(({ kind, idleP99Ms, firedP99Ms, sent, statuses }) => {
    const ratio = firedP99Ms / idleP99Ms;
    return `| ${kind} | ${sent} | ${idleP99Ms.toFixed(2)} | ${firedP99Ms.toFixed(2)} | ${ratio.toFixed(2)} | ${ratio < RATIO_MAX ? 'within' : 'beyond'} | ${statuses} |`;
  });
  const setting = `Reads of paying callers on ${CONNECTIONS} connections, idle and under fire. Hostile requests come from a process of their own, ${HOSTILE.concurrency} at once, at most ${HOSTILE.perSecond} a second (those that ask for megabytes ${HOG_PER_SECOND}) and for ${HOSTILE.seconds} s, each from another address. Under fire p99 is to stay under ${RATIO_MAX} times idle.`;
  return [setting, '', '| hostile requests | sent | idle p99 ms | p99 ms under fire | ratio | bar | answers |', '|---|--:|--:|--:|--:|---|---|', ...lines, ''].join('\n');
}

async function openScene(track: Track): Promise<{ scene: HostileScene; port: number; requests: Buffer[] }> {
  const sandbox = track(await startSandbox());
  const stub = track(await startRole('stub'));
  const hogged = track(await startRole('stub'));
  setPriority(hogged.pid, ELSEWHERE_PRIORITY);
  const sandboxUrl = `http://127.0.0.1:${sandbox.port}`;
  const derive = (label: string): Uint8Array => createHash('sha256').update(`bench ${label}`).digest();
  const rails = sandboxRails(derive);
  for (const { network } of rails) await prepareSandboxRail(sandboxUrl, network, derive);
  const networks = Object.fromEntries(rails.map(({ family, rpcNetwork }) => [rpcNetwork, { upstreams: [`${sandboxUrl}/${family}/${rpcNetwork}`] }]));
  const hogs = { [HOGGED.network]: { upstreams: [`http://127.0.0.1:${hogged.port}/${HOGGED.chainId}`] } };
  const config = { trustProxyHops: 1, networks: { ...networks, ...hogs }, payments: { rails }, inference: await sandboxModels(sandboxUrl) };
  const { port, keys } = track(await startGateway({ upstreamUrl: `http://127.0.0.1:${stub.port}`, door: 'fast', callers: CALLERS, wallets: 0, config }));
  const payers = keys.slice(HOGS);
  const requests = payers.map((key, index) => rpcRequest({ path: '/api/v1/crypto/rpc/ethereum-mainnet', body: READS.body(index), credential: `Authorization: Bearer ${key}` }));
  return { scene: { url: `http://localhost:${port}`, sandboxUrl, keys: keys.slice(0, HOGS), contract: await deployWallet(sandboxUrl) }, port, requests };
}

async function deployWallet(sandboxUrl: string): Promise<string> {
  const chains = standInChains(sandboxUrl);
  const owner = await fundedEvmAccount(chains);
  const args = [owner.address, `0x${'be'.repeat(32)}`] as const;
  await sendEvm(chains, owner, { to: SANDBOX_CONTRACTS.smartWalletFactory, data: encodeFunctionData({ abi: SMART_WALLET_FACTORY_ABI, functionName: 'createWallet', args }) });
  return evmReader(chains).readContract({ address: SANDBOX_CONTRACTS.smartWalletFactory, abi: SMART_WALLET_FACTORY_ABI, functionName: 'addressOf', args });
}

/** A sender that is ready, and sends once it is told to. */
async function startSender(kind: string, scene: HostileScene): Promise<{ fire(): Promise<HostileResult> }> {
  const child = fork(process.argv[1] as string, ['--role=hostile', kind, JSON.stringify(scene)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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

function medianOf(rows: readonly HostileRow[]): HostileRow {
  const byRatio = [...rows].sort((a, b) => a.firedP99Ms / a.idleP99Ms - b.firedP99Ms / b.idleP99Ms);
  return byRatio[Math.floor(byRatio.length / 2)] as HostileRow;
}

/** The kinds that a list of the command line names; all for none. @throws Error for one that there is not */
export function hostileKinds(list: string | undefined): string[] {
  const all = Object.keys(HOSTILE_KINDS);
  const named = list?.split(',') ?? all;
  const unknown = named.find((kind) => !all.includes(kind));
  if (unknown !== undefined) throw new Error(`There are no hostile requests ${JSON.stringify(unknown)}: there are ${all.join(', ')}.`);
  return named;
}

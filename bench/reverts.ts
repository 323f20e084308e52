import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadResult, rpcRequest, runLoad } from './load';
import { type Program, startGateway, startRole, UNLIMITED } from './programs';

export const REVERTS = 'reverts';

/**
 * Allowed effect of one caller's reverting calls on another caller: the other caller's p99 with these calls, divided by
 * its p99 without them.
 */
const ALLOWED_RATIO = 1.5;
const UPSTREAM_MS = 5;
const VICTIM_CONNECTIONS = 4;
/** Pause between two calls of the attacker. */
const PAUSE_MS = 20;
const WARM_UP_SECONDS = 2;
const PATH = '/api/v1/crypto/rpc/ethereum-mainnet';

/** Call data for which the stub reverts with an error text that unhealthy nodes also use. */
export const REVERTING_DATA = '0xbad0bad0';

export interface RevertsRow {
  aloneP99Ms: number;
  attackedP99Ms: number;
  ratio: number;
  allowedRatio: number;
  refused: number;
  /** Number of the attacker's calls. */
  attacks: number;
}

type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

/**
 * Measures a caller over two upstreams, with and without a second caller whose calls all revert. Rounds with and
 * without these calls alternate.
 */
export async function measureReverts(
  { rounds, seconds }: { rounds: number; seconds: number },
  track: Track,
  progress: (text: string) => void,
): Promise<RevertsRow> {
  progress(`starting ${REVERTS}`);
  const upstreams = [
    track(await startRole('stub', String(UPSTREAM_MS))),
    track(await startRole('stub', String(UPSTREAM_MS))),
  ];
  const { port, keys } = track(
    await startGateway({
      upstreamUrl: upstreams.map((stub) => `http://127.0.0.1:${stub.port}`).join(','),
      entry: 'fast',
      callers: 2,
      wallets: 0,
      config: { limits: UNLIMITED },
    }),
  );
  const [victim = '', attacker = ''] = keys;
  const requests = Array.from({ length: 400 }, (_none, index) =>
    rpcRequest({
      path: PATH,
      body: callWith(`0x${index.toString(16).padStart(8, '0')}`),
      credential: `Authorization: Bearer ${victim}`,
    }),
  );
  const load = (ofSeconds: number): Promise<LoadResult> =>
    runLoad({ port, connections: VICTIM_CONNECTIONS, seconds: ofSeconds, requests });
  await load(WARM_UP_SECONDS);
  const alone: LoadResult[] = [];
  const attacked: LoadResult[] = [];
  let attacks = 0;
  for (let round = 1; round <= rounds; round++) {
    progress(`${REVERTS}, round ${round} of ${rounds}`);
    alone.push(await load(seconds));
    const attack = { isOver: false };
    const attacking = revertUntil(attack, port, attacker);
    attacked.push(await load(seconds));
    attack.isOver = true;
    attacks += await attacking;
  }
  progress('');
  const [aloneP99Ms, attackedP99Ms] = [medianP99(alone), medianP99(attacked)];
  const refused = [...alone, ...attacked].reduce((sum, result) => sum + result.refused, 0);
  return {
    aloneP99Ms,
    attackedP99Ms,
    ratio: attackedP99Ms / aloneP99Ms,
    allowedRatio: ALLOWED_RATIO,
    refused,
    attacks,
  };
}

/** @returns number of reverted calls */
async function revertUntil(attack: { isOver: boolean }, port: number, key: string): Promise<number> {
  for (let calls = 0; ; calls++) {
    if (attack.isOver) return calls;
    const response = await fetch(`http://127.0.0.1:${port}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: callWith(`${REVERTING_DATA}${calls.toString(16).padStart(8, '0')}`),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (!text.includes('"error"')) throw new Error(`A call that should revert got the answer ${text.slice(0, 200)}.`);
    await sleep(PAUSE_MS);
  }
}

function callWith(data: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [{ to: `0x${'1'.repeat(40)}`, data }, 'latest'],
  });
}

function medianP99(results: readonly LoadResult[]): number {
  const sorted = results.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

export function renderReverts(row: RevertsRow | null): string {
  if (row === null) return '';
  const verdict = row.ratio <= row.allowedRatio && row.refused === 0 ? 'held' : 'NOT HELD';
  return `One caller beside another whose calls revert (${row.attacks} reverts): p99 ${row.aloneP99Ms.toFixed(1)} ms alone, ${row.attackedP99Ms.toFixed(1)} ms attacked, ratio ${row.ratio.toFixed(2)}, allowed ${row.allowedRatio}; ${row.refused} refused: ${verdict}\n`;
}

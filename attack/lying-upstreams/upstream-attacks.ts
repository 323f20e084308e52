import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Attack, judge } from '../attack';
import { type LiedTo, liedToOf, keyOf, type Target } from '../target';
import { type Answer, ask, askJson, bearer } from '../wire/ask';
import { beside } from '../wire/bystander';
import { burst, counted } from '../wire/burst';
import { numbered } from './lying-upstreams';
import { UPSTREAM_KINDS, type UpstreamKind, type UpstreamLie, upstreamLie } from './upstream-lie';

const TIMEOUT_MS = 3_600_000;
const AT_ONCE = 32;
/** Maximum duration of a call: the gateway's own timeouts plus a margin for a busy machine. */
const ANSWERED_WITHIN_MS = 45_000;
const GROWTH_MB_MAX = 400;
/** Maximum 95th percentile of the other callers' latency. On a busy machine, single calls may take longer. */
const WAIT_MS_MAX = 1_000;
/** Upper bound for the price of each of these calls. */
const COST_USD_MAX = 0.001;

const TITLES: Readonly<Record<UpstreamKind, string>> = {
  node: 'A node that answers anything, in any framing',
  chat: 'A model server whose whole answers are anything, in any framing',
  stream: 'A model server whose streams are anything, in any framing',
  speech: 'A speech server that answers anything, in any framing',
  attestation: 'An enclave whose report is anything, in any framing',
};

/**
 * Attacks by lying nodes and model servers. The gateway must stay alive, use little memory, answer every caller, and
 * charge only for answers.
 */
export const UPSTREAM_ATTACKS: readonly Attack[] = UPSTREAM_KINDS.map((kind) => ({
  id: `upstream-${kind}-lies`,
  title: TITLES[kind],
  needs: ['lying upstreams', 'key'],
  isQuick: true,
  timeoutMs: TIMEOUT_MS,
  run: async (target) => {
    const liedTo = liedToOf(target);
    const { answers, seed } = liedTo.generation;
    const lies = fc.sample(upstreamLie, { numRuns: answers, seed });
    liedTo.upstreams.lies = lies;
    liedTo.upstreams.told = 0;
    const [balanceUsd, beforeMb, pid] = [await usd(target), residentMb(liedTo), liedTo.pid()];
    let peakMb = beforeMb;
    const watching = setInterval(() => (peakMb = Math.max(peakMb, residentMb(liedTo))), 100);
    const outcomes: Answer[] = [];
    const wait = await beside(target, async () =>
      outcomes.push(...(await burst(answers, (index) => CALLS[kind](target, index), AT_ONCE))),
    ).finally(() => clearInterval(watching));
    const spentUsd = balanceUsd - (await usd(target));
    const sold = outcomes.filter(({ status }) => status === 200 || status === 0).length;
    const { told } = liedTo.upstreams;
    const faults = [
      ...outcomes.flatMap((answer, index) =>
        faultsOf(kind, answer).map((fault) => `${fault}, told ${shown(lies[index])}`),
      ),
      ...(liedTo.pid() === pid ? [] : ['the process ended']),
      ...(peakMb - beforeMb < GROWTH_MB_MAX ? [] : [`it took ${(peakMb - beforeMb).toFixed(0)} MB`]),
      ...(wait.p95Ms < WAIT_MS_MAX ? [] : [`one in twenty of others waited for ${wait.p95Ms.toFixed(0)} ms and more`]),
      ...(spentUsd >= -1e-9 && spentUsd <= sold * COST_USD_MAX && (kind !== 'attestation' || spentUsd === 0)
        ? []
        : [`${spentUsd} USD were charged for ${sold} answers`]),
      ...(told >= answers / 2 ? [] : [`only ${told} false answers were asked for`]),
    ];
    const seen = `${told} false answers, seed ${seed}: ${counted(outcomes.map(({ status }) => status))}; +${(peakMb - beforeMb).toFixed(0)} MB, others waited ${wait.p95Ms.toFixed(0)} ms (p95), ${spentUsd.toFixed(6)} USD charged`;
    return judge(
      faults.length === 0,
      faults.length === 0 ? seen : `${faults.length} faults, such as ${faults[0]} | ${seen}`,
    );
  },
}));

/**
 * Returns the faults of an answer. A stream may break off after its start. Every other call must get an answer, and no
 * answer may be an internal error.
 */
function faultsOf(kind: UpstreamKind, { status, elapsedMs, json, text }: Answer): string[] {
  const isBroken = status === 0 && kind !== 'stream' && kind !== 'speech';
  return [
    ...(elapsedMs < ANSWERED_WITHIN_MS ? [] : [`answered after ${(elapsedMs / 1_000).toFixed(0)} s`]),
    ...(isBroken ? [`not answered (${text.slice(0, 80)})`] : []),
    ...(status === 500 && json['code'] === 'INTERNAL' ? ['a fault of the gateway (INTERNAL)'] : []),
  ];
}

const CALLS: Readonly<Record<UpstreamKind, (target: Target, index: number) => Promise<Answer>>> = {
  node: (target, index) =>
    askJson(
      target,
      '/api/v1/crypto/rpc/ethereum-mainnet',
      {
        jsonrpc: '2.0',
        id: index,
        method: 'eth_getBalance',
        params: [`0x${numbered(index).padStart(40, '0')}`, 'latest'],
      },
      { headers: bearer(keyOf(target)) },
    ),
  chat: (target, index) => chat(target, index, false),
  stream: (target, index) => chat(target, index, true),
  speech: (target, index) =>
    askJson(
      target,
      '/api/v1/audio/speech',
      { model: 'tts-kokoro', input: numbered(index), response_format: 'wav' },
      { headers: bearer(keyOf(target)) },
    ),
  attestation: (target, index) =>
    ask(target, {
      path: `/api/v1/tee/attestation?model=liar-tee&nonce=${numbered(index).padStart(64, '0')}`,
      headers: bearer(keyOf(target)),
    }),
};

function chat(target: Target, index: number, stream: boolean): Promise<Answer> {
  return askJson(
    target,
    '/api/v1/chat/completions',
    { model: 'liar', stream, max_tokens: 50, messages: [{ role: 'user', content: numbered(index) }] },
    { headers: bearer(keyOf(target)) },
  );
}

async function usd(target: Target): Promise<number> {
  const { json } = await ask(target, { path: '/api/v1/billing/balance', headers: bearer(keyOf(target)) });
  return (json['balances'] as { usd: number } | undefined)?.usd ?? Number.NaN;
}

/** Returns the resident memory of the gateway's process; 0 if unknown. */
function residentMb(liedTo: LiedTo): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${liedTo.pid()}/status`, 'latin1'))?.[1]) / 1_000;
  } catch {
    return 0;
  }
}

function shown(lie: UpstreamLie | undefined): string {
  return JSON.stringify(lie, (_name, value: unknown) =>
    typeof value === 'string' && value.length > 60 ? `${value.slice(0, 60)}…` : value,
  ).slice(0, 300);
}

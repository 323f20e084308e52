import { setTimeout as sleep } from 'node:timers/promises';
import { rpcRequest, runLoad } from './load';
import { type Program, startGateway, startRole, startSandbox } from './programs';
import { READS } from './workloads';

export const SPEECH = 'speech';

const CALLERS = 200;
const CHARACTERS = 4_096;
const AT_ONCE = 8;
const FIRST_BYTES = 30;
const PING_INTERVAL_MS = 5;
const RPC_CONNECTIONS = 4;
const SENTENCE = 'The gateway reads this sentence aloud, and then it reads the next one. ';

/** Limits for the measured values. */
const BARS = { realTimeMin: 60, firstByteMsMax: 250, pingMsMax: 50, rpcRatioMax: 3 };

/** Measured value of speech synthesis, and its limit. */
export interface SpeechRow {
  figure: string;
  value: number;
  bar: string;
  holds: boolean;
}

type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

interface Target {
  url: string;
  port: number;
  keys: readonly string[];
}

/**
 * Measures the embedded voice behind a gateway: its speed, the time to the first byte of a stream, and how the
 * synthesis of eight texts in parallel affects other callers.
 */
export async function measureSpeech(
  { rounds, seconds }: { rounds: number; seconds: number },
  track: Track,
  progress: (text: string) => void,
): Promise<SpeechRow[]> {
  progress('starting speech');
  const sandbox = track(await startSandbox());
  const stub = track(await startRole('stub'));
  const env = { SPEECH_UPSTREAM_URL: `http://127.0.0.1:${sandbox.port}/speech/v1` };
  const { port, keys } = track(
    await startGateway({
      upstreamUrl: `http://127.0.0.1:${stub.port}`,
      entry: 'fast',
      callers: CALLERS,
      wallets: 0,
      env,
    }),
  );
  const target = { url: `http://127.0.0.1:${port}`, port, keys };
  for (let warming = 0; warming < 3; warming++) await speak(target, { input: SENTENCE.repeat(3), streaming: true });
  progress(`${SPEECH}, ${CHARACTERS} characters`);
  const realTime = await realTimeFactor(target, rounds);
  progress(`${SPEECH}, first bytes`);
  const firstByteMs = await firstByteP50(target);
  progress(`${SPEECH}, ${AT_ONCE} at once`);
  const { pingMs, rpcRatio, aloneMs, besideMs } = await besideSpeech(target, rounds, seconds);
  return [
    {
      figure: `${CHARACTERS} characters to mp3, times real time`,
      value: realTime,
      bar: `≥ ${BARS.realTimeMin}`,
      holds: realTime >= BARS.realTimeMin,
    },
    {
      figure: 'first byte of a streamed mp3, p50 in ms',
      value: firstByteMs,
      bar: `< ${BARS.firstByteMsMax}`,
      holds: firstByteMs < BARS.firstByteMsMax,
    },
    {
      figure: `health answered within, while ${AT_ONCE} speak, worst in ms`,
      value: pingMs,
      bar: `≤ ${BARS.pingMsMax}`,
      holds: pingMs <= BARS.pingMsMax,
    },
    {
      figure: `RPC p99 beside ${AT_ONCE} texts (${besideMs.toFixed(1)} ms) to alone (${aloneMs.toFixed(1)} ms)`,
      value: rpcRatio,
      bar: `≤ ${BARS.rpcRatioMax}`,
      holds: rpcRatio <= BARS.rpcRatioMax,
    },
  ];
}

/** Renders the rows as a Markdown table; empty without rows. */
export function renderSpeech(rows: readonly SpeechRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ figure, value, bar, holds }) => `| ${figure} | ${value.toFixed(1)} | ${bar} | ${holds ? 'yes' : 'no'} |`,
  );
  return ['| speech | measured | bar | holds |', '|---|---|---|---|', ...lines, ''].join('\n');
}

async function realTimeFactor(target: Target, rounds: number): Promise<number> {
  const input = SENTENCE.repeat(Math.ceil(CHARACTERS / SENTENCE.length)).slice(0, CHARACTERS);
  const { bytes } = await speak(target, { input, response_format: 'pcm' });
  const audioMs = bytes / 48;
  const factors: number[] = [];
  for (let round = 0; round < rounds; round++)
    factors.push(audioMs / (await speak(target, { input, response_format: 'mp3' })).totalMs);
  return median(factors);
}

async function firstByteP50(target: Target): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < FIRST_BYTES; index++)
    times.push(
      (await speak(target, { input: SENTENCE.repeat(4), response_format: 'mp3', streaming: true })).firstByteMs,
    );
  return median(times);
}

/** Measures health checks and RPC calls while the gateway continuously speaks eight texts. */
async function besideSpeech(target: Target, rounds: number, seconds: number) {
  const requests = target.keys.map((key, index) =>
    rpcRequest({
      path: '/api/v1/crypto/rpc/ethereum-mainnet',
      body: READS.body(index),
      credential: `Authorization: Bearer ${key}`,
    }),
  );
  const load = (length: number) =>
    runLoad({ port: target.port, connections: RPC_CONNECTIONS, seconds: length, requests });
  await load(2);
  const alone: number[] = [];
  const beside: number[] = [];
  let pingMs = 0;
  for (let round = 0; round < rounds; round++) {
    alone.push((await load(seconds)).p99Ms);
    const over = new AbortController();
    const speaking = Array.from({ length: AT_ONCE }, (_none, index) => keepSpeaking(target, index, over.signal));
    await sleep(200);
    pingMs = Math.max(pingMs, await worstPing(target, seconds));
    beside.push((await load(seconds)).p99Ms);
    over.abort();
    await Promise.all(speaking);
  }
  const [aloneMs, besideMs] = [median(alone), median(beside)];
  return { pingMs, aloneMs, besideMs, rpcRatio: besideMs / aloneMs };
}

async function keepSpeaking(target: Target, index: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await speak(target, { input: SENTENCE.repeat(20), response_format: 'mp3', streaming: index % 2 === 0 });
}

async function worstPing({ url }: Target, seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  let worst = 0;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    await (await fetch(`${url}/api/health`)).arrayBuffer();
    worst = Math.max(worst, performance.now() - startedAt);
    await sleep(PING_INTERVAL_MS);
  }
  return worst;
}

async function speak(
  { url, keys }: Target,
  body: object,
): Promise<{ bytes: number; firstByteMs: number; totalMs: number }> {
  const startedAt = performance.now();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${keys[0] as string}` };
  const response = await fetch(`${url}/api/v1/audio/speech`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`Speech was answered with ${response.status}: ${await response.text()}`);
  let bytes = 0;
  let firstByteMs = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstByteMs = performance.now() - startedAt;
    bytes += part.byteLength;
  }
  return { bytes, firstByteMs, totalMs: performance.now() - startedAt };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

import { cpuSeconds } from './cpu-time';
import { inTurn } from './measurement';
import { type Program, startGateway, startRole } from './programs';
import { firstEvents, manyStreams, type StreamTarget } from './stream-load';

export const CHAT_STREAM = 'chat-stream';

/** Limits for a gateway behind the fast entry. */
const FIRST_ADDED_MS_MAX = 0.3;
const CPU_RATIO_MAX = 2;
const GAP_ADDED_MS_MAX = 250;

const CALLERS = 200;
const STREAMS = 200;
const EVENTS_PER_SECOND = 30;
const FIRST_EVENTS = 500;
/**
 * Number of streams until V8 has optimized the code. Below a thousand, a target's place in the round affects its
 * results more than its code does.
 */
const WARM_UPS = 3_000;
const CHAT_PATH = '/api/v1/chat/completions';

/**
 * Results of one target. The gaps and the number of cut streams are the worst of all rounds; every other value is a
 * median over the rounds.
 */
export interface StreamRow {
  target: string;
  firstP50Ms: number;
  firstP99Ms: number;
  cpuMicrosPerEvent: number | null;
  delayP50Ms: number;
  delayP99Ms: number;
  gapAddedP999Ms: number;
  gapAddedMaxMs: number;
  events: number;
  cut: number;
}

/** Registers a program that must be stopped at the end. */
type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

interface Measured extends StreamTarget {
  name: string;
  pid: number;
}

/**
 * Measures relayed streams against a bare pipe over the same upstream. The targets take turns in each round. The time
 * to the first event is measured with one stream at a time.
 */
export async function measureStreams(
  names: readonly string[],
  { seconds, rounds, baselineFolder }: { seconds: number; rounds: number; baselineFolder: string | undefined },
  track: Track,
  progress: (text: string) => void,
): Promise<StreamRow[]> {
  const stub = track(await startRole('stream-stub'));
  const upstreamUrl = `http://127.0.0.1:${stub.port}`;
  const targets: Measured[] = [];
  for (const name of names.filter((each) => ['bare', 'gateway', 'next'].includes(each))) {
    progress(`starting ${name} for streams`);
    targets.push(
      name === 'bare' ? await startPipe(upstreamUrl, track) : await startChatGateway({ name, upstreamUrl }, track),
    );
  }
  if (baselineFolder !== undefined)
    targets.push(await startChatGateway({ name: 'baseline', upstreamUrl, checkout: baselineFolder }, track));
  progress(`${CHAT_STREAM}, warming up`);
  await firstEvents(targets, WARM_UPS);
  const samples = new Map<string, StreamRow[]>(targets.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    progress(`${CHAT_STREAM}, round ${round} of ${rounds}, first events`);
    const firstMs = new Map(
      (await firstEvents(targets, FIRST_EVENTS)).map((times, index) => [targets[index], sorted(times)]),
    );
    for (const target of inTurn(targets, round)) {
      progress(`${CHAT_STREAM}, round ${round} of ${rounds}, ${target.name}`);
      samples.get(target.name)?.push(await sample(target, firstMs.get(target) ?? [], seconds));
    }
  }
  return targets.map(({ name }) => medianOf(samples.get(name) as StreamRow[]));
}

async function startPipe(upstreamUrl: string, track: Track): Promise<Measured> {
  const { pid, port } = track(await startRole('stream-pipe', upstreamUrl));
  return { name: 'bare', pid, port, path: CHAT_PATH, credentials: ['Authorization: Bearer none'] };
}

async function startChatGateway(
  { name, upstreamUrl, checkout }: { name: string; upstreamUrl: string; checkout?: string },
  track: Track,
): Promise<Measured> {
  const gateway = {
    upstreamUrl,
    entry: name === 'next' ? 'next' : 'fast',
    callers: CALLERS,
    wallets: 0,
    env: { CHAT_UPSTREAM_URL: `${upstreamUrl}/v1` },
    ...(checkout !== undefined && { checkout }),
  } as const;
  const { pid, port, keys } = track(await startGateway(gateway));
  return { name, pid, port, path: CHAT_PATH, credentials: keys.map((key) => `Authorization: Bearer ${key}`) };
}

async function sample(target: Measured, first: readonly number[], seconds: number): Promise<StreamRow> {
  const order = { events: Math.ceil(seconds * EVENTS_PER_SECOND), intervalMs: 1000 / EVENTS_PER_SECOND };
  const cpuBefore = cpuSeconds(target.pid);
  const streamed = await manyStreams(target, STREAMS, order);
  const cpuAfter = cpuSeconds(target.pid);
  const delays = sorted(streamed.flatMap(({ delaysMs }) => delaysMs));
  const gaps = sorted(streamed.flatMap(({ excessMs }) => excessMs));
  return {
    target: target.name,
    firstP50Ms: quantile(first, 0.5),
    firstP99Ms: quantile(first, 0.99),
    cpuMicrosPerEvent: cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1e6) / delays.length,
    delayP50Ms: quantile(delays, 0.5),
    delayP99Ms: quantile(delays, 0.99),
    gapAddedP999Ms: quantile(gaps, 0.999),
    gapAddedMaxMs: gaps.at(-1) ?? 0,
    events: delays.length,
    cut: streamed.filter(({ whole }) => !whole).length,
  };
}

function medianOf(rows: readonly StreamRow[]): StreamRow {
  const median = (pick: (row: StreamRow) => number): number => quantile(sorted(rows.map(pick)), 0.5);
  const worst = (pick: (row: StreamRow) => number): number => Math.max(...rows.map(pick));
  const [first] = rows as [StreamRow];
  return {
    target: first.target,
    firstP50Ms: median((row) => row.firstP50Ms),
    firstP99Ms: median((row) => row.firstP99Ms),
    cpuMicrosPerEvent: first.cpuMicrosPerEvent === null ? null : median((row) => row.cpuMicrosPerEvent ?? 0),
    delayP50Ms: median((row) => row.delayP50Ms),
    delayP99Ms: median((row) => row.delayP99Ms),
    gapAddedP999Ms: worst((row) => row.gapAddedP999Ms),
    gapAddedMaxMs: worst((row) => row.gapAddedMaxMs),
    events: median((row) => row.events),
    cut: worst((row) => row.cut),
  };
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((one, other) => one - other);
}

function quantile(values: readonly number[], q: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
}

/** Renders the rows, and whether the gateway keeps within its limits. */
export function renderStreams(rows: readonly StreamRow[]): string {
  if (rows.length === 0) return '';
  const bare = rows.find(({ target }) => target === 'bare');
  const lines = rows.map(
    (row) =>
      `${CHAT_STREAM} ${row.target.padEnd(8)} first event p50 ${row.firstP50Ms.toFixed(2)} ms, p99 ${row.firstP99Ms.toFixed(2)} ms; CPU ${row.cpuMicrosPerEvent?.toFixed(1) ?? 'n/a'} µs/event; delay p50 ${row.delayP50Ms.toFixed(2)} ms, p99 ${row.delayP99Ms.toFixed(2)} ms; gap beyond the upstream's p99.9 ${row.gapAddedP999Ms.toFixed(1)} ms, max ${row.gapAddedMaxMs.toFixed(1)} ms; ${row.events} events in ${STREAMS} streams, ${row.cut} cut`,
  );
  const verdicts = rows
    .filter(({ target }) => target === 'gateway' && bare !== undefined)
    .map((row) => verdictOf(row, bare as StreamRow));
  return `${[...lines, ...verdicts].join('\n')}\n`;
}

function verdictOf(row: StreamRow, bare: StreamRow): string {
  const addedMs = row.firstP50Ms - bare.firstP50Ms;
  const ratio = (row.cpuMicrosPerEvent ?? NaN) / (bare.cpuMicrosPerEvent ?? NaN);
  const said = (holds: boolean): string => (holds ? 'within' : 'beyond');
  return [
    `${CHAT_STREAM}: ${addedMs.toFixed(2)} ms added to the first event, ${said(addedMs <= FIRST_ADDED_MS_MAX)} ${FIRST_ADDED_MS_MAX} ms`,
    `${ratio.toFixed(2)} times the CPU of a bare pipe, ${said(ratio <= CPU_RATIO_MAX)} ${CPU_RATIO_MAX}`,
    `longest gap added ${row.gapAddedMaxMs.toFixed(1)} ms, ${said(row.gapAddedMaxMs <= GAP_ADDED_MS_MAX)} ${GAP_ADDED_MS_MAX} ms`,
  ].join('; ');
}

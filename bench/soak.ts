import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { standInChains } from '@/attack/chains/chains';
import { freePort } from '@/attack/stage/child-process';
import { environmentOf, startGateway, startStandIns } from '@/attack/stage/gateway-process';
import { askSandbox } from '@/lib/client';
import { soakCalls, type SoakCall } from './soak-calls';
import { flatnessOf, type Flatness, minuteMedians, type Sample } from './soak-figures';
import { SoakWallets } from './soak-wallets';

export const SOAK = 'soak';

const MIB = 1024 * 1024;
const LOOK_EVERY_MS = 5_000;
const RSS_DRIFT_MAX = 0.05;
const DESCRIPTORS_GROWTH_MAX = 8;
/** Maximum number of calls in progress, so that calls to a hanging gateway do not pile up. */
const UNDER_WAY_MAX = 200;
const UNEXPECTED_TOLD_MAX = 20;
const END_WITHIN_MS = 60_000;
const CALLS_SECRET = 'a soak has nothing to hide, for an hour';

interface Kind {
  call: SoakCall;
  made: number;
  unexpected: number;
  slowestMs: number;
  totalMs: number;
}

export interface SoakResult {
  minutes: number;
  kinds: { name: string; made: number; unexpected: number; meanMs: number; slowestMs: number }[];
  /** Calls that were skipped, because too many were in progress. */
  heldBack: number;
  /** The first calls whose result was unexpected. */
  unexpected: readonly string[];
  samples: readonly Sample[];
  /** Trend of resident memory; null if the soak test was too short to fit a line. */
  rss: Flatness | null;
  descriptors: Flatness | null;
  /** Number of open reservations after all calls have ended. */
  reservationsOpen: number | null;
  /** Faults in the ledger and the balances, found by `admin ledger check`. */
  faults: readonly string[];
}

interface SoakPlan {
  minutes: number;
  callsPerSecond: number;
}

/** Calls all endpoints of a gateway over the sandbox's simulators, and samples the gateway's process meanwhile. */
export async function measureSoak(
  { minutes, callsPerSecond }: SoakPlan,
  track: <T extends { stop(): Promise<void> }>(program: T) => T,
  progress: (text: string) => void,
): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-soak-'));
  track({ stop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })) });
  progress('starting stand-ins and a gateway');
  const standIns = track(await startStandIns(folder));
  const adminPort = await freePort();
  const env = { TURNPIKE_SECRET: CALLS_SECRET, SANDBOX_URL: standIns.url, ADMIN_PORT: String(adminPort) };
  const limits = {
    rpcRequestsPerMinute: { staff: null, standard: null, paid: null },
    requestsPerMinute: 100_000,
    publicRequestsPerMinutePerIp: 100_000,
    consoleRequestsPerMinutePerIp: 100_000,
  };
  const gateway = track(
    await startGateway({
      folder: join(folder, 'gateway'),
      profile: 'sandbox',
      config: { limits, drain: { delaySeconds: 0 } },
      env,
    }),
  );
  const simulatedRoot = (await askSandbox({ baseUrl: gateway.url }))?.enclave?.root ?? '';
  const wallets = new SoakWallets(gateway.url, standInChains(standIns.url));
  await wallets.topUp();
  const calls = atRate(soakCalls({ url: gateway.url, keys: gateway.keys, simulatedRoot, wallets }), callsPerSecond);
  const looker = new Looker(gateway.pid, adminPort);
  const made = await callFor(calls, minutes, looker, progress);
  const reservationsOpen = (await readMetrics(adminPort))?.get('turnpike_reservations_open') ?? null;
  const faults = await checkLedger(join(folder, 'gateway'), gateway.dataDir, env);
  const { samples } = looker;
  const flat = (pick: (sample: Sample) => number): Flatness | null =>
    minutes * 0.75 >= 2 ? flatnessOf(samples, minutes, pick) : null;
  return {
    minutes,
    ...made,
    samples,
    rss: flat(({ rssBytes }) => rssBytes),
    descriptors: flat(({ descriptors }) => descriptors),
    reservationsOpen,
    faults,
  };
}

/** Scales the mix of calls to a total rate. */
function atRate(calls: readonly SoakCall[], callsPerSecond: number): SoakCall[] {
  const factor = (callsPerSecond * 60) / calls.reduce((total, { perMinute }) => total + perMinute, 0);
  return calls.map((call) => ({ ...call, perMinute: call.perMinute * factor }));
}

/** Makes calls of each kind at its own rate, with random intervals. Calls overlap. */
async function callFor(
  calls: readonly SoakCall[],
  minutes: number,
  looker: Looker,
  progress: (text: string) => void,
): Promise<Pick<SoakResult, 'kinds' | 'heldBack' | 'unexpected'>> {
  const endsAt = performance.now() + minutes * 60_000;
  const kinds = calls.map((call): Kind => ({ call, made: 0, unexpected: 0, slowestMs: 0, totalMs: 0 }));
  const underWay = new Set<Promise<void>>();
  const unexpected: string[] = [];
  let heldBack = 0;
  const schedule = async (kind: Kind): Promise<void> => {
    for (;;) {
      await sleep((60_000 / kind.call.perMinute) * (0.5 + Math.random()));
      if (performance.now() > endsAt) return;
      if (underWay.size >= UNDER_WAY_MAX) heldBack += 1;
      else {
        const running: Promise<void> = make(
          kind,
          (told) => unexpected.length < UNEXPECTED_TOLD_MAX && unexpected.push(told),
        ).finally(() => underWay.delete(running));
        underWay.add(running);
      }
    }
  };
  const looking = looker.lookUntil(endsAt, (line) =>
    progress(
      `${line}; ${sum(kinds, 'made')} calls, ${sum(kinds, 'unexpected')} unexpected, ${underWay.size} under way`,
    ),
  );
  await Promise.all([...kinds.map(schedule), looking]);
  await Promise.race([Promise.all(underWay), sleep(END_WITHIN_MS)]);
  if (underWay.size > 0)
    unexpected.push(`${underWay.size} calls had not ended ${END_WITHIN_MS / 1_000} s after the last call began`);
  return {
    kinds: kinds.map(({ call, made, unexpected: count, slowestMs, totalMs }) => ({
      name: call.name,
      made,
      unexpected: count,
      meanMs: totalMs / Math.max(1, made),
      slowestMs,
    })),
    heldBack,
    unexpected,
  };
}

async function make(kind: Kind, tell: (text: string) => unknown): Promise<void> {
  const { call } = kind;
  const startedMs = performance.now();
  const outcome = await call
    .run()
    .catch((error: unknown) =>
      String(error instanceof Error && error.cause ? `${error.message}: ${String(error.cause)}` : error),
    );
  const tookMs = performance.now() - startedMs;
  kind.made += 1;
  kind.totalMs += tookMs;
  kind.slowestMs = Math.max(kind.slowestMs, tookMs);
  if (outcome === call.expected) return;
  kind.unexpected += 1;
  tell(`${new Date().toISOString()} ${call.name}: ${outcome.slice(0, 400)}`);
}

/** Samples a process from outside: reads the kernel's figures and the process's own metrics. */
class Looker {
  readonly samples: Sample[] = [];

  constructor(
    private readonly pid: number,
    private readonly adminPort: number,
  ) {}

  async lookUntil(endsAt: number, tell: (line: string) => void): Promise<void> {
    const startedAt = performance.now();
    for (let told = 0; performance.now() < endsAt;) {
      this.samples.push(await this.#look(performance.now() - startedAt));
      const minute = Math.floor((performance.now() - startedAt) / 60_000);
      if (minute > told) {
        const median = (pick: (sample: Sample) => number): number =>
          minuteMedians(this.samples, pick).find((each) => each.minute === told)?.median ?? Number.NaN;
        tell(
          `minute ${minute}: RSS ${(median(({ rssBytes }) => rssBytes) / MIB).toFixed(1)} MiB, heap ${(median(({ heapUsedBytes }) => heapUsedBytes ?? 0) / MIB).toFixed(1)} MiB, ${median(({ descriptors }) => descriptors)} descriptors, loop p99 ${(median(({ loopP99Seconds }) => loopP99Seconds ?? 0) * 1_000).toFixed(1)} ms`,
        );
        told = minute;
      }
      await sleep(Math.min(LOOK_EVERY_MS, Math.max(0, endsAt - performance.now())));
    }
  }

  async #look(atMs: number): Promise<Sample> {
    const metrics = await readMetrics(this.adminPort);
    const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'latin1'))?.[1];
    return {
      atMs,
      rssBytes: Number(kibibytes) * 1024,
      descriptors: readdirSync(`/proc/${this.pid}/fd`).length,
      loopP99Seconds: metrics?.get('nodejs_eventloop_lag_p99_seconds') ?? null,
      heapUsedBytes: metrics?.get('nodejs_heap_size_used_bytes') ?? null,
    };
  }
}

/** Returns the values of metrics without labels, by name. @returns null if the metrics cannot be read */
async function readMetrics(port: number): Promise<ReadonlyMap<string, number> | null> {
  try {
    const text = await (
      await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) })
    ).text();
    return new Map(Array.from(text.matchAll(/^(\w+) (\S+)$/gm), ([, name = '', value]) => [name, Number(value)]));
  } catch {
    return null;
  }
}

async function checkLedger(folder: string, dataDir: string, env: Record<string, string>): Promise<string[]> {
  const settings = environmentOf({
    ...env,
    TURNPIKE_CONFIG: join(folder, 'turnpike.config.json'),
    TURNPIKE_DATA_DIR: dataDir,
  });
  const printed = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      ['dist/admin.mjs', 'ledger', 'check', '--json'],
      { env: settings, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => resolve(stdout || JSON.stringify({ faults: [stderr || String(error)] })),
    ),
  );
  return (JSON.parse(printed) as { faults: string[] }).faults;
}

function sum(kinds: readonly Kind[], field: 'made' | 'unexpected'): number {
  return kinds.reduce((total, kind) => total + kind[field], 0);
}

/** Renders the result as Markdown, with a verdict per line; empty without a result. */
export function renderSoak(result: SoakResult | null): string {
  if (result === null) return '';
  const { minutes, kinds, heldBack, unexpected, samples, rss, descriptors, reservationsOpen, faults } = result;
  const made = kinds.reduce((total, kind) => total + kind.made, 0);
  const failed = kinds.reduce((total, kind) => total + kind.unexpected, 0);
  const loops = samples.flatMap(({ loopP99Seconds }) => loopP99Seconds ?? []).toSorted((one, other) => one - other);
  const medians = minuteMedians(samples, ({ rssBytes }) => rssBytes);
  const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
  const verdicts: [string, string, string, boolean | null][] = [
    [
      'resident memory',
      rss
        ? `${mib(rss.from)} to ${mib(rss.to)} MiB, ${(rss.drift * 100).toFixed(1)} %, by a line through the medians of the last ${rss.minutes} minutes`
        : 'too short for a line',
      `within ±${RSS_DRIFT_MAX * 100} %`,
      rss && Math.abs(rss.drift) <= RSS_DRIFT_MAX,
    ],
    [
      'open descriptors',
      descriptors
        ? `${descriptors.from.toFixed(1)} to ${descriptors.to.toFixed(1)}, by the same line`
        : 'too short for a line',
      `no more than ${DESCRIPTORS_GROWTH_MAX} added`,
      descriptors && descriptors.to - descriptors.from <= DESCRIPTORS_GROWTH_MAX,
    ],
    [
      'calls with an unexpected result',
      `${failed} of ${made}${heldBack > 0 ? `, ${heldBack} held back` : ''}`,
      'none',
      failed + heldBack + unexpected.length === 0,
    ],
    ['paid calls left open', String(reservationsOpen), '0', reservationsOpen === 0],
    ['faults in the books', String(faults.length), 'none', faults.length === 0],
  ];
  return [
    `A soak of ${minutes} minutes with all endpoints mixed, ${(made / (minutes * 60)).toFixed(1)} calls a second. Event loop delay p99 of 5 s: median ${((loops[Math.floor(loops.length / 2)] ?? 0) * 1_000).toFixed(1)} ms, worst ${((loops.at(-1) ?? 0) * 1_000).toFixed(1)} ms.`,
    '',
    '| looked at | found | bar | holds |',
    '|---|---|---|---|',
    ...verdicts.map(
      ([what, found, bar, holds]) =>
        `| ${what} | ${found} | ${bar} | ${holds === null ? 'not said' : holds ? 'yes' : 'no'} |`,
    ),
    '',
    '| calls | made | unexpected | mean ms | slowest ms |',
    '|---|--:|--:|--:|--:|',
    ...kinds.map(
      ({ name, made: count, unexpected: odd, meanMs, slowestMs }) =>
        `| ${name} | ${count} | ${odd} | ${meanMs.toFixed(0)} | ${slowestMs.toFixed(0)} |`,
    ),
    '',
    `Resident memory by minute, MiB: ${medians.map(({ median }) => mib(median)).join(', ')}`,
    ...unexpected.map((told) => `unexpected: ${told}`),
    ...faults.map((fault) => `fault in the books: ${fault}`),
    '',
  ].join('\n');
}

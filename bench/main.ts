import { readOptions } from '@/lib/command-line/options';
import { exitCodeOf } from '@/lib/command-line/program';
import { UsageError } from '@/lib/command-line/usage-error';
import { serveBareProxy } from './bare-proxy';
import { CHAT_STREAM, measureStreams, renderStreams, type StreamRow } from './chat-stream';
import { findPostgres, TestPostgres } from '@/test/test-postgres';
import { type FaultRow, FAULTS, measureFaults } from './faults';
import { GROWN, measureGrown } from './grown';
import { type GrownRow, renderGrown } from './grown-row';
import { GROWTH, type GrowthRow, measureGrowth, renderGrowth } from './growth';
import { measureGrowingReads, type ReadRow, renderGrowingReads } from './growth-reads';
import { HOSTILE_LOAD, hostileKinds, type HostileResults, measureHostile, renderHostile } from './hostile';
import { sendHostile } from './hostile-sender';
import { type Machine, thisMachine } from './machine';
import type { Plan, Row } from './measurement';
import { hasNginx, startNginx } from './nginx';
import { type GatewayProgram, type Program, startGateway, startRole } from './programs';
import { measureQuote, QUOTE, type QuoteRow, renderQuote, serveQuote } from './quote';
import { measureRecordings, type RecordedRow, RECORDINGS, renderRecordings } from './recordings';
import { render, renderFaults } from './report';
import { measureReverts, renderReverts, REVERTS, type RevertsRow } from './reverts';
import { measureScale, SCALE } from './scale';
import { renderScale, type ScaleRow } from './scale-figures';
import { serveStreamPipe } from './stream-pipe';
import { serveStreamStub } from './stream-stub';
import { serveStubUpstream } from './stub-upstream';
import { measureReaders, type ReadersRow, renderReaders, STALLED_READERS } from './stalled-readers';
import { type ChunksRow, measureChunks, renderChunks, serveSmallChunks, SMALL_CHUNKS } from './small-chunks';
import { measureRetention, RETENTION } from './retention';
import { renderRetention, type RetentionResult } from './retention-figures';
import { measureSoak, renderSoak, SOAK, type SoakResult } from './soak';
import { measureSpeech, renderSpeech, SPEECH, type SpeechRow } from './speech';
import { measureTargets, progress, type Target } from './targets';
import { WORKLOADS } from './workloads';

const HELP = `Usage: npm run bench -- [WORKLOAD] [OPTIONS]

Measures the gateway and compares it with bare node:http with undici pass-through, and with nginx, over the same stub
upstream. Limits and metering are on; the callers are staff and take turns. The targets take turns in each round, and
the medians are printed. WORKLOAD is the same as --workloads with one name.

Workloads by default, all but reads at 16 connections:
  ${WORKLOADS.map(({ name }) => name).join(', ')}

Workloads by name only:
  ${FAULTS.map(({ name }) => name).join(', ')}
                      Reads over two upstreams, of which one has the fault, compared with two healthy upstreams
  ${REVERTS.padEnd(18)}  Calls of one caller while the calls of another caller revert
  ${CHAT_STREAM.padEnd(18)}  200 chat streams of 30 events a second, compared with a bare pipe (targets bare, gateway and
                      next, and the baseline)
  ${QUOTE.padEnd(18)}  Verification of an attestation, in processes of its own
  ${RECORDINGS.padEnd(18)}  Verification in Chromium of what real providers answered, from the folder that
                      ATTESTATION_SAMPLES names
  ${SPEECH.padEnd(18)}  The embedded voice behind a gateway
  ${HOSTILE_LOAD.padEnd(18)}  Latency of paying callers during 1,000 hostile requests of each kind
  ${STALLED_READERS.padEnd(18)}  Memory while 64 clients request large answers and do not read them
  ${SMALL_CHUNKS.padEnd(18)}  Memory and latency while 64 answers of 8 MB arrive in chunks of one byte
  ${SCALE.padEnd(18)}  One to four gateway processes on one Postgres, and one and two workers, compared with one process
  ${GROWTH.padEnd(18)}  Archiving and checking of ledgers of several sizes on SQLite, reads of old data, and ${GROWN}
  ${GROWN.padEnd(18)}  Slow calls, one hot caller and many callers on Postgres, idle networks, and long lists
  ${RETENTION.padEnd(18)}  Two gateways on SQLite with 1,000 calls a second each, for --minutes: one archives old charges
                      all the time, the other keeps all charges
  ${SOAK.padEnd(18)}  All endpoints, over the simulators of the sandbox, for --minutes. Samples memory, descriptors and
                      the event loop every 5 seconds, and checks the ledger at the end

  --connections LIST  Connections to measure with (default 1,16,64)
  --seconds S         Length of a round (default 3)
  --rounds N          Rounds of each target (default 3)
  --callers N         Number of callers (default 2000; each may make 1,000 requests a minute)
  --targets LIST      Some of bare, nginx, gateway, signin, sandbox, postgres, next (default: all that are installed).
                      nginx has one worker. signin is the gateway, called by wallets that sign in. sandbox is the
                      sandbox profile as in npm start; its CPU includes the simulated nodes. postgres is a gateway with
                      its own Postgres server on the same processors; the server's CPU per request is shown separately
  --baseline DIR      Another built checkout, whose gateway is a further target in the same rounds
  --workloads LIST    Some of the workloads above
  --minutes N         Duration of ${SOAK} or ${RETENTION} (default 60)
  --calls-per-second N
                      Calls per second of ${SOAK} (default 20)
  --answer-mib N      Size of the answers of ${STALLED_READERS} in MiB (default 8)
  --hold-seconds S    Time for which the clients of ${STALLED_READERS} do not read (default 150)
  --hostile LIST      Kinds of hostile requests (default all)
  --page              Have each gateway render a page first, because React may change how the process runs afterwards
  --json              Print JSON
`;

const RPC_PATH = '/api/v1/crypto/rpc/ethereum-mainnet';
const MIB = 1024 * 1024;
/** Number of wallets, small enough that every wallet has signed in before the warm-up ends. */
const WALLETS = 400;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    connections: { type: 'string', default: '1,16,64' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '2000' },
    targets: {
      type: 'string',
      default: [
        'bare',
        ...(hasNginx() ? ['nginx'] : []),
        'gateway',
        'signin',
        'sandbox',
        ...(findPostgres() ? ['postgres'] : []),
        'next',
      ].join(','),
    },
    workloads: { type: 'string', default: [...WORKLOADS.map(({ name }) => name), CHAT_STREAM].join(',') },
    hostile: { type: 'string' },
    'answer-mib': { type: 'string', default: '8' },
    minutes: { type: 'string', default: '60' },
    'calls-per-second': { type: 'string', default: '20' },
    'hold-seconds': { type: 'string', default: '150' },
    baseline: { type: 'string' },
    page: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const workloads = positionals.length > 0 ? positionals : values.workloads.split(',');
  const plan = {
    connections: values.connections.split(',').map(Number),
    seconds: Number(values.seconds),
    pageFirst: values.page,
    rounds: Number(values.rounds),
    workloads: WORKLOADS.filter(({ name }) => workloads.includes(name)),
  };
  const faults = FAULTS.filter(({ name }) => workloads.includes(name));
  const rows =
    plan.workloads.length > 0
      ? await withPrograms((track) =>
          measure(
            values.targets.split(','),
            { callers: Number(values.callers), baselineFolder: values.baseline },
            plan,
            track,
          ),
        )
      : [];
  const faultRows = await withPrograms((track) => measureFaults(faults, plan, track, progress));
  const reverts = workloads.includes(REVERTS)
    ? await withPrograms((track) => measureReverts(plan, track, progress))
    : null;
  const streamRows = workloads.includes(CHAT_STREAM)
    ? await withPrograms((track) =>
        measureStreams(values.targets.split(','), { ...plan, baselineFolder: values.baseline }, track, progress),
      )
    : [];
  const speechRows = workloads.includes(SPEECH)
    ? await withPrograms((track) => measureSpeech(plan, track, progress))
    : [];
  const hostile = workloads.includes(HOSTILE_LOAD)
    ? await withPrograms((track) => measureHostile(hostileKinds(values.hostile), plan, track, progress))
    : null;
  const readersPlan = {
    answerMiB: Number(values['answer-mib']),
    holdSeconds: Number(values['hold-seconds']),
    entries: entriesOf(values.targets),
  };
  const readers = workloads.includes(STALLED_READERS)
    ? await withPrograms((track) => measureReaders(readersPlan, track, progress, values.baseline))
    : [];
  const chunks = workloads.includes(SMALL_CHUNKS)
    ? await withPrograms((track) => measureChunks(track, progress, values.baseline))
    : null;
  const scaleRows = workloads.includes(SCALE)
    ? await withPrograms((track) => measureScale(plan, Number(values.callers), track, progress))
    : [];
  const recorded = workloads.includes(RECORDINGS) ? await measureRecordings(progress) : [];
  const growth = workloads.includes(GROWTH) ? await measureGrowth(progress) : [];
  const growingReads = workloads.includes(GROWTH) ? await measureGrowingReads(progress) : [];
  const grown =
    workloads.includes(GROWTH) || workloads.includes(GROWN) ? await measureGrown(withPrograms, progress) : [];
  const quoteRow = workloads.includes(QUOTE) ? await measureQuote(progress) : null;
  const soak = workloads.includes(SOAK)
    ? await withPrograms((track) =>
        measureSoak(
          {
            minutes: positive(values.minutes, '--minutes'),
            callsPerSecond: positive(values['calls-per-second'], '--calls-per-second'),
          },
          track,
          progress,
        ),
      )
    : null;
  const retention = workloads.includes(RETENTION)
    ? await withPrograms((track) => measureRetention(positive(values.minutes, '--minutes'), track, progress))
    : null;
  const machine = thisMachine();
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ machine, seconds: plan.seconds, rounds: plan.rounds, rows, faults: faultRows, reverts, streams: streamRows, speech: speechRows, hostile, readers, chunks, scale: scaleRows, growth, growingReads, grown, quote: quoteRow, recordings: recorded, soak, retention })}\n`
      : report(
          {
            rows,
            faults: faultRows,
            reverts,
            streams: streamRows,
            speech: speechRows,
            hostile,
            readers,
            chunks,
            scale: scaleRows,
            growth,
            growingReads,
            grown,
            quote: quoteRow,
            recordings: recorded,
            soak,
            retention,
          },
          machine,
          plan,
        ),
  );
  return 0;
}

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new UsageError(`${name} must be a number above 0.`);
  return value;
}

function entriesOf(targets: string): ('fast' | 'next')[] {
  const names = targets.split(',');
  return [
    ...(names.includes('gateway') ? ['fast' as const] : []),
    ...(names.includes('next') ? ['next' as const] : []),
  ];
}

/** Results of a run. A part that was not requested is empty or null. */
interface Measured {
  rows: readonly Row[];
  faults: readonly FaultRow[];
  reverts: RevertsRow | null;
  streams: readonly StreamRow[];
  speech: readonly SpeechRow[];
  hostile: HostileResults | null;
  readers: readonly ReadersRow[];
  chunks: ChunksRow | null;
  scale: readonly ScaleRow[];
  growth: readonly GrowthRow[];
  growingReads: readonly ReadRow[];
  grown: readonly GrownRow[];
  quote: QuoteRow | null;
  recordings: readonly RecordedRow[];
  soak: SoakResult | null;
  retention: RetentionResult | null;
}

function report(
  {
    rows,
    faults,
    reverts,
    streams,
    speech,
    hostile,
    readers,
    chunks,
    scale,
    growth,
    growingReads,
    grown,
    quote,
    recordings,
    soak,
    retention,
  }: Measured,
  machine: Machine,
  plan: Plan,
): string {
  return [
    rows.length > 0 ? render(rows, machine, plan) : '',
    renderFaults(faults),
    renderReverts(reverts),
    renderStreams(streams),
    renderSpeech(speech),
    renderHostile(hostile),
    renderReaders(readers),
    renderChunks(chunks),
    renderScale(scale, machine.cpus),
    renderGrowth(growth),
    renderGrowingReads(growingReads),
    renderGrown(grown),
    renderQuote(quote),
    renderRecordings(recordings),
    renderSoak(soak),
    renderRetention(retention),
  ]
    .filter(Boolean)
    .join('\n');
}

/** Runs a measurement and always stops its programs at the end. */
async function withPrograms<T>(measureWith: (track: Track) => Promise<T>): Promise<T> {
  const programs: Pick<Program, 'stop'>[] = [];
  try {
    return await measureWith((program) => {
      programs.push(program);
      return program;
    });
  } finally {
    for (const program of programs.reverse()) await program.stop();
  }
}

async function measure(
  names: readonly string[],
  { callers, baselineFolder }: { callers: number; baselineFolder: string | undefined },
  plan: Plan,
  track: Track,
): Promise<Row[]> {
  const stub = track(await startRole('stub'));
  const upstreamUrl = `http://127.0.0.1:${stub.port}`;
  const targets: Target[] = [];
  let fast: GatewayProgram | null = null;
  for (const name of names) {
    progress(`starting ${name}`);
    if (name === 'bare') {
      const program = track(await startRole('bare', upstreamUrl));
      targets.push({
        name,
        program,
        databasePid: null,
        path: '/',
        credentials: Array<string>(callers).fill(bearer('none')),
      });
    } else if (name === 'nginx') {
      targets.push({
        name,
        program: track(await startNginx(upstreamUrl)),
        databasePid: null,
        path: '/',
        credentials: Array<string>(callers).fill(bearer('none')),
      });
    } else if (name === 'gateway' || name === 'signin') {
      fast ??= track(await startGateway({ upstreamUrl, entry: 'fast', callers, wallets: WALLETS }));
      const credentials =
        name === 'signin' ? fast.signIns.map((header) => `SIGN-IN-WITH-X: ${header}`) : fast.keys.map(bearer);
      targets.push({ name, program: fast, databasePid: null, path: RPC_PATH, credentials });
    } else {
      const database = name === 'postgres' ? await startPostgres(track) : null;
      const program = track(
        await startGateway({
          upstreamUrl,
          entry: name === 'next' ? 'next' : 'fast',
          callers,
          wallets: 0,
          ...(name === 'sandbox' && { profile: 'sandbox' }),
          ...(database && { databaseUrl: database.url }),
        }),
      );
      targets.push({
        name,
        program,
        databasePid: database?.pid ?? null,
        path: RPC_PATH,
        credentials: program.keys.map(bearer),
      });
    }
  }
  if (baselineFolder !== undefined) {
    progress('starting the baseline');
    const program = track(
      await startGateway({ upstreamUrl, entry: 'fast', callers, wallets: 0, checkout: baselineFolder }),
    );
    targets.push({
      name: 'baseline',
      program,
      databasePid: null,
      path: RPC_PATH,
      credentials: program.keys.map(bearer),
    });
  }
  if (plan.pageFirst) for (const { path, program } of targets) if (path === RPC_PATH) await renderPage(program);
  return measureTargets(targets, plan);
}

async function renderPage({ port }: Program): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  if (!response.ok) throw new Error(`The console's page was answered with status ${response.status}.`);
  await response.arrayBuffer();
}

/** Registers a program that must be stopped at the end. */
type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

/** Starts a Postgres server with usual settings, durable on disk, with an empty database. */
async function startPostgres(track: Track): Promise<{ url: string; pid: number | null }> {
  const server = await TestPostgres.start({ durable: true });
  track({ stop: () => server.remove() });
  return { url: await server.createDatabase(), pid: server.pid };
}

function bearer(key: string): string {
  return `Authorization: Bearer ${key}`;
}

/**
 * Parses the stub's argument. A number below 1 MiB is the delay of each answer in milliseconds; a larger number is the
 * size of eth_getLogs answers in bytes.
 */
function stubOptions(argument: string): { delayMs: number; logsBytes?: number } {
  const number = Number(argument || 0);
  return number >= MIB ? { delayMs: 0, logsBytes: number } : { delayMs: number };
}

const role = process.argv[2];
const tellPort = (port: number): void => {
  process.send?.({ port });
  process.on('disconnect', () => process.exit(0));
};
if (role === '--role=stub') serveStubUpstream(stubOptions(process.argv[3] ?? ''), tellPort);
else if (role === '--role=bare') serveBareProxy(process.argv[3] ?? '', tellPort);
else if (role === '--role=stream-stub') serveStreamStub(tellPort);
else if (role === '--role=stream-pipe') serveStreamPipe(process.argv[3] ?? '', tellPort);
else if (role === `--role=${SMALL_CHUNKS}`) serveSmallChunks(tellPort);
else if (role === `--role=${QUOTE}`) serveQuote();
else if (role === '--role=hostile') await sendHostile(process.argv[3] ?? '', process.argv[4] ?? '');
else process.exitCode = await exitCodeOf(main);

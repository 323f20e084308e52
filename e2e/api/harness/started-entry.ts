import { fork, type ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { repositoryRoot } from './repository-root';

/** One of the two production entries: `server.ts`, or `next start` alone. */
export type Entry = 'fast' | 'next';

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;
/** Timeout of a draining gateway on a busy machine. */
const DRAIN_TIMEOUT_MS = 90_000;

/** The entry that CONTRACT_ENTRY names; the fast one unless it is set. @throws Error for a entry that does not exist. */
export function chosenEntry(name = process.env.CONTRACT_ENTRY ?? 'fast'): Entry {
  if (name === 'fast' || name === 'next') return name;
  throw new Error(`CONTRACT_ENTRY is "fast" or "next", not "${name}".`);
}

/** A gateway process that answers. */
export interface GatewayProcess {
  /** Returns what it printed so far, for the message of a failed test. */
  printed(): string;
  /** Asks it to end, and kills it if it does not. */
  stop(): Promise<void>;
  /** Asks it to end as a supervisor does, and waits until it has by itself. @throws Error if it had to be killed */
  terminate(): Promise<void>;
  /** Ends it as a power cut would: no handler of its own runs. */
  kill(): Promise<void>;
}

/**
 * Starts the built gateway behind a entry and waits until it answers. It never outlives this process.
 * @throws Error with what it printed, if it ends or stays silent instead.
 */
export async function openEntry(
  entry: Entry,
  port: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GatewayProcess> {
  const [program, args] =
    entry === 'fast'
      ? ['dist/server.mjs', []]
      : ['node_modules/next/dist/bin/next', ['start', '-p', String(port), '-H', '127.0.0.1']];
  // Without source maps, which are a third of what a start takes: a test looks at no stack.
  const child = fork(program as string, args as string[], {
    cwd: repositoryRoot,
    env: env as NodeJS.ProcessEnv,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  child.once('exit', () => process.off('exit', onExit));
  const opened: GatewayProcess = {
    printed: () => output,
    stop: () => end(child, 'SIGTERM'),
    terminate: () => terminate(child),
    kill: () => end(child, 'SIGKILL'),
  };
  try {
    await untilItAnswers(child, port);
  } catch (error) {
    await opened.kill();
    throw new Error(`${(error as Error).message}\n${output}`);
  }
  return opened;
}

async function untilItAnswers(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error('The gateway ended instead of starting.');
    if (await isHealthy(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The gateway did not answer within ${START_TIMEOUT_MS} ms.`);
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(
      { port, host: '127.0.0.1', path: '/api/health', agent: false, timeout: 5_000 },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
    probe.end();
  });
}

async function terminate(child: ChildProcess): Promise<void> {
  await end(child, 'SIGTERM', DRAIN_TIMEOUT_MS);
  if (child.signalCode === 'SIGKILL')
    throw new Error(`The gateway did not end within ${DRAIN_TIMEOUT_MS} ms of SIGTERM.`);
}

function end(child: ChildProcess, signal: NodeJS.Signals, withinMs = STOP_TIMEOUT_MS): Promise<void> {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve) => {
    const overdue = setTimeout(() => child.kill('SIGKILL'), withinMs);
    child.once('exit', () => {
      clearTimeout(overdue);
      resolve();
    });
    child.kill(signal);
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The Content-Length of a whole answer: Next's own server drops it and sends such answers in chunks, whose end is marked too. */
export function announcedLength(body: Uint8Array): string | null {
  return chosenEntry() === 'next' ? null : String(body.byteLength);
}

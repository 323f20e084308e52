import { fork, type ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { repositoryRoot } from './repository-root';

/** One of the two production entries: `server.ts`, or `next start` alone. */
export type Entry = 'fast' | 'next';

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;
/** Longest wait for a gateway to drain on a busy machine. */
const DRAIN_TIMEOUT_MS = 90_000;

/** Returns the entry that CONTRACT_ENTRY names, by default the fast one. @throws Error for an unknown entry */
export function chosenEntry(name = process.env.CONTRACT_ENTRY ?? 'fast'): Entry {
  if (name === 'fast' || name === 'next') return name;
  throw new Error(`CONTRACT_ENTRY is "fast" or "next", not "${name}".`);
}

/** A ready gateway process. */
export interface GatewayProcess {
  /** Returns the output so far, for messages of failed tests. */
  printed(): string;
  /** Stops the process with SIGTERM, or kills it if it does not exit. */
  stop(): Promise<void>;
  /** Stops the process with SIGTERM and waits for its exit. @throws Error if it had to be killed */
  terminate(): Promise<void>;
  /** Kills the process, as a power cut would. No handler runs. */
  kill(): Promise<void>;
}

/**
 * Starts the built gateway with an entry and waits until it answers. The gateway stops with this process.
 * @throws Error with its output if it exits or does not answer
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
  // Source maps would make a start a third longer, and tests read no stack traces.
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

/** Content-Length of a complete answer. Next's own server removes it and sends chunks instead. */
export function announcedLength(body: Uint8Array): string | null {
  return chosenEntry() === 'next' ? null : String(body.byteLength);
}

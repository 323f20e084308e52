import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { oneLine } from '../log';
import { type GuardedChild, spawnGuarded } from './guarded-spawn';

/** A running anvil. */
export interface AnvilProcess {
  pid: number;
  /** Its origin, on loopback. */
  url: string;
  /** Resolves when the process has ended, with how: `code 1` or `signal SIGKILL`. Never rejects. */
  ended: Promise<string>;
  /** Asks it to end; kills it after `graceMs`. Resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
}

export interface AnvilOptions {
  binary: string;
  chainId: number;
  /** Loaded; none for a chain that begins. */
  stateFile: string | undefined;
  /** For the states of old blocks, which would otherwise pile up in the user's home. */
  historyFolder: string;
  timeoutMs: number;
  /** Ends the start. */
  signal: AbortSignal;
  /** Called as soon as there is a process. */
  onSpawn?: (pid: number) => void;
}

/** Anvil did not come up. */
export class AnvilStartError extends Error {
  override readonly name = 'AnvilStartError';

  /** @param isStateRefused the state file is at fault, and without it a start would work */
  constructor(
    message: string,
    readonly isStateRefused: boolean,
  ) {
    super(message);
  }
}

/** States of that many blocks beyond those in memory, about 80 kB each on disk. */
const PERSISTED_STATES_MAX = 500;

/**
 * Starts anvil on a free loopback port that the system chooses and resolves when it listens. Its ten
 * accounts are those of its default mnemonic, 10,000 native units each.
 *
 * @throws {AnvilStartError} with what anvil wrote last, where it ends or does not listen within `timeoutMs`
 */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  if (options.signal.aborted) throw stopping();
  const child = spawnGuarded(options.binary, argumentsOf(options));
  const ended = endOf(child);
  const complaints = collectTail(child);
  if (child.pid !== undefined) options.onSpawn?.(child.pid);
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const kill = () => child.kill('SIGKILL');
  const signal = AbortSignal.any([options.signal, timeout]);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const address = await Promise.race([listeningAddress(child), ended.then(() => undefined)]);
    if (address === undefined || child.pid === undefined) {
      const end = await ended;
      if (options.signal.aborted) throw stopping();
      if (timeout.aborted)
        throw new AnvilStartError(`anvil was not ready within ${options.timeoutMs / 1_000} s`, false);
      throw startError(end, complaints());
    }
    return { pid: child.pid, url: `http://${address}`, ended, stop: (graceMs) => stop(child, ended, graceMs) };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function argumentsOf({ chainId, stateFile, historyFolder }: AnvilOptions): string[] {
  return [
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--no-cors',
    '--no-request-size-limit',
    '--chain-id',
    String(chainId),
    ...(stateFile === undefined ? [] : ['--load-state', stateFile]),
    '--cache-path',
    historyFolder,
    '--max-persisted-states',
    String(PERSISTED_STATES_MAX),
  ];
}

/** Anvil tells the port that it got on standard output only, where `--quiet` would silence it too. */
async function listeningAddress(child: GuardedChild): Promise<string | undefined> {
  const lines = createInterface({ input: child.stdout });
  try {
    for await (const line of lines) {
      const address = /^Listening on (127\.0\.0\.1:\d+)$/.exec(line.trim())?.[1];
      if (address !== undefined) return address;
    }
    return undefined;
  } finally {
    lines.close();
    // A program that prints into a full pipe stops.
    child.stdout.resume();
  }
}

function collectTail(child: GuardedChild): () => string {
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4_000);
  });
  return () => tail;
}

async function endOf(child: GuardedChild): Promise<string> {
  try {
    // "close" comes after "exit", when what the process wrote has been read.
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal === null ? `code ${code}` : `signal ${signal}`;
  } catch (error) {
    return `an error: ${(error as Error).message}`;
  }
}

function stopping(): AnvilStartError {
  return new AnvilStartError('the sandbox is stopping', false);
}

function startError(end: string, complaints: string): AnvilStartError {
  const isStateRefused = /invalid value .* for '--(?:load-)?state|failed to load init state/.test(complaints);
  const reason = oneLine(complaints.replace(/For more information.*/s, '')) || 'it gave no reason';
  return new AnvilStartError(`anvil ended with ${end}: ${reason}`, isStateRefused);
}

async function stop(child: GuardedChild, ended: Promise<string>, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
}

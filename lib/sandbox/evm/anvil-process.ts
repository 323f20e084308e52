import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { oneLine } from '../log';
import { type GuardedChild, spawnGuarded } from './guarded-spawn';

export interface AnvilProcess {
  pid: number;
  /** Origin of anvil, on loopback. */
  url: string;
  /** Resolves when the process has ended, to a string such as `code 1` or `signal SIGKILL`. Never rejects. */
  ended: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves when the process has ended. */
  stop(graceMs: number): Promise<void>;
}

interface AnvilOptions {
  binary: string;
  chainId: number;
  /** State to load; undefined for a new chain. */
  stateFile: string | undefined;
  /** Folder for the states of old blocks. By default, anvil would store them in the user's home. */
  historyFolder: string;
  timeoutMs: number;
  signal: AbortSignal;
  onSpawn?: (pid: number) => void;
}

export class AnvilStartError extends Error {
  override readonly name = 'AnvilStartError';

  /** @param isStateRefused true if anvil refused the state file, so that a start without that file could succeed */
  constructor(
    message: string,
    readonly isStateRefused: boolean,
  ) {
    super(message);
  }
}

/** Number of old states on disk, beside those in memory. Each takes about 80 kB. */
const PERSISTED_STATES_MAX = 500;

/**
 * Starts anvil on a free loopback port and resolves when anvil listens. The ten accounts come from anvil's default
 * mnemonic, with 10,000 native units each.
 *
 * @throws {AnvilStartError} with anvil's last output, if anvil ends or does not listen within `timeoutMs`
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

/** Reads anvil's address from standard output, which `--quiet` would suppress. */
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
    // Keeps reading, because a full pipe would block anvil.
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
    // Node emits "close" after "exit", once all output has been read.
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

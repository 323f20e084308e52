import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { oneLine } from '../log';

const PLATFORMS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-amd64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-amd64',
  'win32-x64': 'win32-amd64',
};

/**
 * Returns the path of anvil's executable: in the platform's package, or where the install script stores a download. The
 * package's `bin.mjs` would keep another Node process running.
 *
 * @throws {Error} if anvil has no build for the platform or the package is incomplete
 */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string {
  const build = PLATFORMS[`${platform}-${arch}`];
  if (build === undefined)
    throw new Error(
      `There is no build of anvil for ${platform} on ${arch}, so this machine has no EVM stand-in chains.`,
    );
  const require = createRequire(import.meta.url);
  const name = platform === 'win32' ? 'anvil.exe' : 'anvil';
  const home = resolved(require, '@foundry-rs/anvil/package.json');
  const candidates = [
    // npm may install the platform's package inside anvil's own package, where only anvil's package can resolve it.
    home && resolved(createRequire(home), `@foundry-rs/anvil-${build}/bin/${name}`),
    home && path.join(path.dirname(home), name),
    home && path.join(path.dirname(home), '..', 'dist', name),
  ];
  const found = candidates.find((file) => file !== undefined && fs.existsSync(file));
  if (found === undefined)
    throw new Error(`The package @foundry-rs/anvil-${build} is not installed. Run npm install again.`);
  return found;
}

function resolved(require: NodeJS.Require, id: string): string | undefined {
  try {
    return require.resolve(id);
  } catch {
    return undefined;
  }
}

/** Child process without input. The parent reads its output. */
export type GuardedChild = ChildProcessByStdio<null, Readable, Readable>;

/** Time between SIGTERM and SIGKILL, in seconds. */
const GRACE_SECONDS = 5;

/**
 * Shell script that forks a guard and then becomes the program (`exec`), so the child's pid is the program's.
 *
 * The guard reads file descriptor 3, a pipe from this process. A line means that the program has ended. EOF means that
 * this process has ended. A zombie (state Z) counts as ended, because some containers never reap orphans.
 */
const guard = (graceSeconds: number) => `
{
  read -r released <&3 && exit 0
  kill -TERM $$
  end=$(( $(date +%s) + ${graceSeconds} ))
  while kill -0 $$ && [ "$(date +%s)" -lt $end ]; do
    [ -r /proc/$$/stat ] && read -r stat </proc/$$/stat && case "$stat" in *') Z '*) exit 0 ;; esac
    sleep 0.05 || sleep 1
  done
  kill -KILL $$
} </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`;

/**
 * Starts a program that ends when this process ends, even if this process is killed (SIGKILL). When this process ends,
 * a sleeping shell (the guard) sends SIGTERM, and SIGKILL after `graceSeconds` (whole seconds). The program has its own
 * process group, so that Ctrl-C does not interrupt its writes. On Windows, which has no POSIX shell, the program ends
 * only on request.
 */
export function spawnGuarded(
  program: string,
  args: readonly string[],
  graceSeconds: number = GRACE_SECONDS,
): GuardedChild {
  if (process.platform === 'win32')
    return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const child = spawn('/bin/sh', ['-c', guard(graceSeconds), 'sh', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const pipe = child.stdio[3] as Writable;
  // A write fails if the guard has been killed.
  pipe.on('error', () => undefined);
  child.once('exit', () => pipe.end('released\n'));
  return child;
}

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

  /** @param isStateRefused true if anvil refused the state file; a start without the file may then succeed */
  constructor(
    message: string,
    readonly isStateRefused: boolean,
  ) {
    super(message);
  }
}

/** Maximum number of old states on disk, in addition to the states in memory. A state takes about 80 kB. */
const PERSISTED_STATES_MAX = 500;

/**
 * Starts anvil on a free loopback port and resolves when anvil listens. The ten accounts come from anvil's default
 * mnemonic, with 10,000 native units each.
 *
 * @throws {AnvilStartError} if anvil ends (with its last output), is late (`timeoutMs`), or `signal` aborts
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
  const reason = oneLine(complaints.replace(/For more information.*/s, '')) || 'it printed no reason';
  return new AnvilStartError(`anvil ended with ${end}: ${reason}`, isStateRefused);
}

async function stop(child: GuardedChild, ended: Promise<string>, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
}

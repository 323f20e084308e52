import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { relayLine, type SandboxLog } from './log';
import { isReadyMessage, type ReadyMessage } from './settings';

interface LaunchOptions {
  dataDir: string;
  entryFile: string;
  /** Second port for the Solana WebSocket; null for none. */
  webSocketPort?: number | null;
  log: SandboxLog;
  startTimeoutMs?: number;
  /** Delay before the first restart. Later delays double, up to 60 times this value. */
  restartDelayMs?: number;
}

export interface LaunchedSandbox {
  /** Origin of the sandbox on loopback. Does not change when the sandbox restarts. */
  url: string;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const RESTART_DELAY_MS = 500;
const RESTART_DELAY_FACTOR_MAX = 60;
/** Uptime after which the restart delay is reset to the minimum. */
const STABLE_AFTER_MS = 60_000;
/**
 * Time between IPC disconnection and SIGKILL when closing the sandbox. Longer than it takes to finish requests and stop
 * the chains.
 */
const CLOSE_GRACE_MS = 8_000;

/**
 * Starts the sandbox in a child process and resolves when it listens. Restarts a dead child on the same port. The child
 * ends when this process ends, even by SIGKILL.
 *
 * @throws {Error} if the first start fails (with the child's last output) or takes too long
 */
export async function launchSandbox(options: LaunchOptions): Promise<LaunchedSandbox> {
  const supervisor = new Supervisor(options);
  const { url } = await supervisor.start(0);
  return { url, close: () => supervisor.close() };
}

class Supervisor {
  #child: ChildProcess | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #deathsInARow = 0;
  #closed = false;

  constructor(private readonly options: LaunchOptions) {}

  async start(port: number): Promise<ReadyMessage> {
    const startedAtMs = performance.now();
    const child = forkSandbox(this.options, port);
    this.#child = child;
    const ready = await untilReady(child, this.options);
    const boundPort = Number(new URL(ready.url).port);
    child.once('exit', (code, signal) => {
      if (performance.now() - startedAtMs > STABLE_AFTER_MS) this.#deathsInARow = 0;
      this.#restartLater(boundPort, `The sandbox ended with ${describeEnd(code, signal)}`);
    });
    return ready;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  #restartLater(port: number, why: string): void {
    if (this.#closed) return;
    const { restartDelayMs = RESTART_DELAY_MS, log } = this.options;
    const delayMs = restartDelayMs * Math.min(2 ** this.#deathsInARow, RESTART_DELAY_FACTOR_MAX);
    this.#deathsInARow += 1;
    log.warn(`${why}; restarting in ${delayMs} ms`);
    this.#restartTimer = setTimeout(() => void this.#restart(port), delayMs);
  }

  async #restart(port: number): Promise<void> {
    try {
      const { url, pid } = await this.start(port);
      this.options.log.info(`The sandbox restarted at ${url} (pid ${pid})`);
    } catch (error) {
      this.#restartLater(port, (error as Error).message);
    }
  }
}

function forkSandbox({ entryFile, dataDir, webSocketPort, log }: LaunchOptions, port: number): ChildProcess {
  // Removes NODE_OPTIONS, because its inspector or loader may be meant only for the gateway.
  const { NODE_OPTIONS: _nodeOptions, ...env } = process.env;
  const child = fork(entryFile, [], {
    execArgv: ['--enable-source-maps'],
    env: {
      ...env,
      SANDBOX_PORT: String(port),
      SANDBOX_WS_PORT: String(webSocketPort ?? ''),
      SANDBOX_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // `untilReady` rejects if the fork fails. A failed signal or message needs no handling.
  child.on('error', () => undefined);
  if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => relayLine(line, log));
  return child;
}

function untilReady(child: ChildProcess, { startTimeoutMs = START_TIMEOUT_MS }: LaunchOptions): Promise<ReadyMessage> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    const settle = (outcome: ReadyMessage | Error) => {
      clearTimeout(timer);
      child.removeListener('message', onMessage).removeListener('error', settle).removeListener('close', onClose);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onMessage = (message: unknown) => {
      if (isReadyMessage(message)) settle(message);
    };
    const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(
        new Error(
          `The sandbox could not start: it ended with ${describeEnd(code, signal)}${said && `, saying: ${said.trim()}`}`,
        ),
      );
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      settle(new Error(`The sandbox could not start: it was not ready within ${startTimeoutMs / 1_000} s.`));
    }, startTimeoutMs);
    child.on('message', onMessage).on('error', settle).on('close', onClose);
  });
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `code ${code}` : `signal ${signal}`;
}

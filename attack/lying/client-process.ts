import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { environmentOf } from '../stage/gateway-process';
import { stopChild } from '../stage/child-process';
import type { Order, Report } from './client-program';

const PROGRAM = 'dist/client-under-attack.mjs';
const START_TIMEOUT_MS = 60_000;
const STDERR_CHARACTERS_MAX = 4_000;

/** Command that runs in the process under attack. */
export interface RunningCommand {
  out: string;
  err: string;
  /** Exit code. Rejects if the process ended before the command. */
  ended: Promise<number>;
  abort(): void;
}

/** Process under attack. Started once for many commands. */
export class ClientProcess {
  readonly #running = new Map<
    number,
    { command: RunningCommand; resolve: (code: number) => void; reject: (error: Error) => void; printed: () => void }
  >();
  #last = 0;
  #stderr = '';
  #hasEnded = false;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (report: Report) => this.#hear(report));
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_CHARACTERS_MAX)),
    );
    child.on('exit', (code, signal) => {
      this.#hasEnded = true;
      const error = new Error(`the client's process ended with ${String(code ?? signal)}: ${this.#stderr.trim()}`);
      for (const { reject } of this.#running.values()) reject(error);
    });
  }

  /** @param heapMib maximum heap size */
  static async start(heapMib: number): Promise<ClientProcess> {
    const child = fork(PROGRAM, [], {
      env: environmentOf({}),
      execArgv: [`--max-old-space-size=${heapMib}`, '--enable-source-maps'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    const started = new ClientProcess(child);
    await once(child, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
    return started;
  }

  /** Text that the process wrote to standard error, if it has ended; null while it runs. */
  get fault(): string | null {
    return this.#hasEnded ? this.#stderr.trim() : null;
  }

  /** Returns the current memory in bytes, and resets the peak. */
  idleBytes(): number {
    writeFileSync(`/proc/${this.child.pid}/clear_refs`, '5');
    return this.#status('VmRSS');
  }

  /** Returns the peak memory since `idleBytes`, in bytes. */
  peakBytes(): number {
    return this.#status('VmHWM');
  }

  #status(name: string): number {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${this.child.pid}/status`, 'utf8'),
    )?.[1];
    return Number(kibibytes ?? 0) * 1_024;
  }

  run(
    args: readonly string[],
    env: Record<string, string>,
    { input = '', onPrinted = () => undefined }: { input?: string; onPrinted?: () => void } = {},
  ): RunningCommand {
    const id = ++this.#last;
    let [resolve, reject] = [(_code: number): void => undefined, (_error: Error): void => undefined];
    const ended = new Promise<number>((...both) => ([resolve, reject] = both));
    ended.catch(() => undefined);
    const command: RunningCommand = { out: '', err: '', ended, abort: () => this.#order({ type: 'abort', id }) };
    this.#running.set(id, { command, resolve, reject, printed: onPrinted });
    this.#order({ type: 'run', id, args: [...args], env, input });
    return command;
  }

  stop(): Promise<void> {
    return stopChild(this.child);
  }

  #order(order: Order): void {
    if (this.child.connected) this.child.send(order);
  }

  #hear(report: Report): void {
    if (report.type === 'ready') return;
    const running = this.#running.get(report.id);
    if (!running) return;
    if (report.type === 'printed') {
      running.command[report.where] += report.text;
      return running.printed();
    }
    this.#running.delete(report.id);
    running.resolve(report.code);
  }
}

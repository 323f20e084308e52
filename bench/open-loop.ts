import { connect, type Socket } from 'node:net';
import { quantile, readAnswers } from './load';

const CONNECTIONS = 256;
const TICK_MS = 1;

export interface Percentiles {
  calls: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  maxMs: number;
}

/** Calls of one gateway. Latency counts from the time at which a call is due, so that a stall shows. */
export class PacedCalls {
  readonly #idle: Socket[] = [];
  readonly #waiting: number[] = [];
  readonly #minutes: Float32Array[] = [];
  #latenciesMs: number[] = [];
  #failed = 0;
  #failedBefore = 0;
  #next = 0;
  #open = 0;
  #isOver = false;

  constructor(
    private readonly port: number,
    private readonly requests: readonly Buffer[],
  ) {
    for (let count = 0; count < CONNECTIONS; count++) this.#connect();
  }

  get open(): number {
    return this.#open;
  }

  call(dueMs: number): void {
    this.#open++;
    this.#waiting.push(dueMs);
    this.#sendWaiting();
  }

  takeMinute(): Percentiles {
    const minute = Float32Array.from(this.#latenciesMs);
    this.#minutes.push(minute);
    const failed = this.#failed;
    this.#latenciesMs = [];
    this.#failed = 0;
    this.#failedBefore += failed;
    return percentiles(minute.toSorted(), failed);
  }

  forget(): void {
    this.takeMinute();
    this.#minutes.length = 0;
    this.#failedBefore = 0;
  }

  end(): Percentiles {
    this.#isOver = true;
    for (const socket of this.#idle) socket.destroy();
    this.takeMinute();
    const all = new Float32Array(this.#minutes.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const minute of this.#minutes) {
      all.set(minute, offset);
      offset += minute.length;
    }
    return percentiles(all.sort(), this.#failedBefore + this.#open);
  }

  #sendWaiting(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const socket = this.#idle.shift() as Socket;
      socket.emit('due', this.#waiting.shift());
    }
  }

  #connect(): void {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    let dueMs: number | null = null;
    const finish = (isFailed: boolean): void => {
      if (dueMs === null) return;
      this.#latenciesMs.push(performance.now() - dueMs);
      if (isFailed) this.#failed++;
      this.#open--;
      dueMs = null;
    };
    const free = (): void => {
      this.#idle.push(socket);
      this.#sendWaiting();
    };
    socket.on('due', (due: number) => {
      dueMs = due;
      socket.write(this.requests[this.#next++ % this.requests.length] as Buffer);
    });
    socket.once('connect', free).on('error', () => undefined);
    socket.once('close', () => {
      finish(true);
      const index = this.#idle.indexOf(socket);
      if (index >= 0) this.#idle.splice(index, 1);
      if (!this.#isOver) setTimeout(() => this.#connect(), TICK_MS);
    });
    readAnswers(socket, (status) => {
      finish(status !== 200);
      if (this.#isOver) socket.destroy();
      else free();
    });
  }
}

/**
 * Makes calls at a fixed rate, to one target after the other.
 * @returns how late calls were sent because this process was busy
 */
export async function pace(
  targets: readonly PacedCalls[],
  { perSecond, isOver }: { perSecond: number; isOver: () => boolean },
): Promise<Percentiles> {
  const startedMs = performance.now();
  const intervalMs = 1_000 / (perSecond * targets.length);
  const lateMs: number[] = [];
  for (let made = 0; !isOver();) {
    const now = performance.now();
    for (let dueMs = startedMs + made * intervalMs; dueMs <= now; dueMs = startedMs + made * intervalMs) {
      (targets[made % targets.length] as PacedCalls).call(dueMs);
      if (made % targets.length === 0) lateMs.push(now - dueMs);
      made++;
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  return percentiles(Float32Array.from(lateMs).sort(), 0);
}

function percentiles(sorted: Float32Array, failed: number): Percentiles {
  return {
    calls: sorted.length,
    failed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    p999Ms: quantile(sorted, 0.999),
    maxMs: sorted.at(-1) ?? 0,
  };
}

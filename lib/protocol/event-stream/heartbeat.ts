/** Interval of the timer. A stream sends a comment after one to two intervals without an event. */
const INTERVAL_MS = 7_500;

/** Comment, which event stream readers skip. */
export const HEARTBEAT: Uint8Array = new TextEncoder().encode(':\n\n');

/** Keeps an event stream alive with comments between events, because clients and proxies close silent connections. */
export class Heartbeat {
  /** All streams share one timer, because most streams end before their own timer would fire. */
  static readonly #running = new Set<Heartbeat>();
  static #timer: ReturnType<typeof setInterval> | null = null;

  #isSilent = false;

  constructor(private readonly write: () => void) {}

  start(): void {
    Heartbeat.#running.add(this);
    Heartbeat.#timer ??= setInterval(() => {
      for (const heartbeat of Heartbeat.#running) heartbeat.#look();
    }, INTERVAL_MS);
  }

  /** Records that the stream sent an event. */
  beat(): void {
    this.#isSilent = false;
  }

  stop(): void {
    Heartbeat.#running.delete(this);
    if (Heartbeat.#running.size > 0 || Heartbeat.#timer === null) return;
    clearInterval(Heartbeat.#timer);
    Heartbeat.#timer = null;
  }

  #look(): void {
    if (this.#isSilent) this.write();
    this.#isSilent = true;
  }
}

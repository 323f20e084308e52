/** A comment goes out after one to two of these without an event. */
const INTERVAL_MS = 7_500;

/** A comment, which every reader of events skips. */
export const HEARTBEAT: Uint8Array = new TextEncoder().encode(':\n\n');

/** Keeps an event stream alive between whole events: clients and proxies close a connection that says nothing for long, and a model may think for hours. */
export class Heartbeat {
  /** All streams look at one clock: many are too short for a timer of their own. */
  static readonly #running = new Set<Heartbeat>();
  static #timer: ReturnType<typeof setInterval> | null = null;

  #isSilent = false;

  /** @param write sends the comment */
  constructor(private readonly write: () => void) {}

  start(): void {
    Heartbeat.#running.add(this);
    Heartbeat.#timer ??= setInterval(() => {
      for (const heartbeat of Heartbeat.#running) heartbeat.#look();
    }, INTERVAL_MS);
  }

  /** Something else was sent. */
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

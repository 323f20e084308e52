/** A comment goes out after one to two of these without an event. */
const INTERVAL_MS = 7_500;

/** A comment, which every reader of events skips. */
export const HEARTBEAT: Uint8Array = new TextEncoder().encode(':\n\n');

/** Keeps an event stream alive between whole events: clients and proxies close a connection that says nothing for long, and a model may think for hours. */
export class Heartbeat {
  #timer: ReturnType<typeof setInterval> | null = null;
  #isSilent = true;

  /** @param write sends the comment */
  constructor(private readonly write: () => void) {}

  start(): void {
    this.#timer ??= setInterval(() => {
      if (this.#isSilent) this.write();
      this.#isSilent = true;
    }, INTERVAL_MS);
  }

  /** Something else was sent. */
  beat(): void {
    this.#isSilent = false;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}

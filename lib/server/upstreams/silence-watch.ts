/**
 * Watches for something that says nothing for too long. Who speaks often only has the time noted; the timer looks at it
 * once it is due, since to set a timer anew for every event takes longer than to read one.
 */
export class SilenceWatch {
  #timer: NodeJS.Timeout | null = null;
  #timeoutMs = 0;
  #heardAt = 0;

  /** @param onSilent called once for each `wait` */
  constructor(private readonly onSilent: () => void) {}

  /** Watches from now on, in place of what was watched before. */
  wait(timeoutMs: number): void {
    this.stop();
    this.#timeoutMs = timeoutMs;
    this.heard();
    this.#plan(timeoutMs);
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  /** Watches anew for as long as before. */
  waitAgain(): void {
    this.wait(this.#timeoutMs);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #plan(inMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const leftMs = this.#timeoutMs - (performance.now() - this.#heardAt);
      // Timers count whole milliseconds, and may come as much too early.
      if (leftMs > 1) this.#plan(leftMs);
      else this.onSilent();
    }, inMs);
  }
}

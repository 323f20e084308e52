/** Number of checks per timeout. A silence is detected at most one check late. */
const PARTS = 4;

/**
 * Calls back when nothing was heard for a given time. `heard` only resets a counter that a timer checks, because
 * restarting a timer for each event costs more.
 */
export class SilenceWatch {
  #timer: NodeJS.Timeout | null = null;
  #silentParts = 0;

  /** @param onSilent called at most once for each `wait` */
  constructor(private readonly onSilent: () => void) {}

  wait(timeoutMs: number): void {
    this.stop();
    // Starts at 1, so that `timeoutMs` is exact if `heard` is never called.
    this.#silentParts = 1;
    this.#timer = setTimeout(() => this.#look(), timeoutMs / PARTS);
  }

  heard(): void {
    this.#silentParts = 0;
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    if (this.#silentParts++ < PARTS) this.#timer?.refresh();
    else this.onSilent();
  }
}

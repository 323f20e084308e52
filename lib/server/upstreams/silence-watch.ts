/** Number of checks per time-out. A time-out fires at most one of these parts late. */
const PARTS = 4;

/**
 * Calls back when nothing was heard for a given time. `heard` only sets a field that a slow timer checks, because
 * restarting a timer for every event costs more than reading the event.
 */
export class SilenceWatch {
  #timer: NodeJS.Timeout | null = null;
  #silentParts = 0;

  /** @param onSilent called once for each `wait` */
  constructor(private readonly onSilent: () => void) {}

  /** Watches from now on, in place of what was watched before. */
  wait(timeoutMs: number): void {
    this.stop();
    // What was heard within a part of the time was heard after its beginning; this wait begins with one.
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

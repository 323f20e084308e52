/** A time-out is looked at so many times while it lasts: it comes after its time, and at most this part of it late. */
const PARTS = 4;

/**
 * Watches for something that says nothing for too long. That it was heard is only noted, for a timer that looks now and
 * then: to set one anew for every event takes longer than to read the event.
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

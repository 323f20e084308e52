import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { epochAt } from '@/lib/protocol/allocation/epoch';
import type { Database } from '../db/schema';
import { addTraffic, type TrafficSample } from '../db/traffic-days';
import { difference } from './traffic-window';

/** A killed process loses the counts since its last write. */
const WRITE_INTERVAL_MS = 15_000;
const STOP_MS = 5_000;

interface DailyTrafficParts {
  db: Database;
  log: Logger;
  now: () => number;
  /** Returns the request counts since the start of this process. */
  take: () => TrafficSample;
}

/** Adds this process's request counts to the store's totals per UTC day. */
export class DailyTraffic {
  #written: TrafficSample | null = null;
  #writing: Promise<void> | null = null;
  #isFailing = false;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly parts: DailyTrafficParts) {
    this.#timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();
  }

  /** Writes the counts since the last write. If the store fails, the next write includes them. */
  write(): Promise<void> {
    this.#writing ??= this.#write()
      .then(() => (this.#isFailing = false))
      .catch((error: unknown) => {
        if (!this.#isFailing) this.parts.log.warn({ err: error }, 'writing the daily request counts failed');
        this.#isFailing = true;
      })
      .then(() => {
        this.#writing = null;
      });
    return this.#writing;
  }

  /** Writes the last counts. Gives up if the store needs more than 5 seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.write().then(() => this.write()), sleep(STOP_MS, undefined, { ref: false })]);
  }

  async #write(): Promise<void> {
    const { db, now, take } = this.parts;
    const sample = take();
    const added = this.#written === null ? sample : difference(this.#written, sample);
    if (added.requests === 0) return;
    await addTraffic(db, epochAt(now()), added);
    this.#written = sample;
  }
}

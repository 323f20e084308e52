import type { Logger } from 'pino';
import {
  changedRegisters,
  entryHash,
  type Measured,
  measuredBy,
  MEASUREMENT_TYPE,
  type MeasurementEntry,
  measurementDigest,
  measurementEntrySchema,
  MEASUREMENTS_MAX,
} from '@/lib/protocol/attestation/measurement-log';
import { readCompactJws } from '@/lib/protocol/receipts/compact-jws';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { ReceiptKeys } from '../billing/receipts/receipt-keys';
import {
  countMeasurements,
  insertMeasurement,
  type MeasurementRow,
  newestMeasurement,
  seeMeasurement,
} from '../db/measurements';
import type { Database } from '../db/schema';

const OF_MODEL_MAX = 250;
const SEEN_EVERY_MS = 3_600_000;
const TRIES_MAX = 10;

interface Parts {
  db: Database;
  keys: Pick<ReceiptKeys, 'sign'>;
  now: () => number;
  log: Logger;
}

/**
 * Log of the enclave measurements that this gateway saw. Entries are signed and chained by hash. A full log accepts no
 * new entries.
 */
export class MeasurementLog {
  readonly #written = new Map<string, number>();

  constructor(private readonly parts: Parts) {}

  /** Records the measurements in a verdict. Never rejects, because no caller awaits the result. */
  async note(model: string, verdict: Pick<ServedVerdict, 'conclusion' | 'enclaves'>): Promise<void> {
    for (const measured of measuredBy(model, verdict)) {
      const digest = measurementDigest(measured);
      const at = this.parts.now();
      if (at - (this.#written.get(digest) ?? -Infinity) < SEEN_EVERY_MS) continue;
      if (this.#written.size >= MEASUREMENTS_MAX) this.#written.clear();
      this.#written.set(digest, at);
      try {
        await this.#write(measured, digest, at);
      } catch (error) {
        this.#written.delete(digest);
        this.parts.log.warn({ err: error, model }, 'could not log the measurement of an enclave');
      }
    }
  }

  async #write(measured: Measured, digest: string, at: number): Promise<void> {
    const { db, keys, log } = this.parts;
    const { model, role } = measured;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (await seeMeasurement(db, digest, at)) return;
      const head = await newestMeasurement(db);
      if ((head?.seq ?? 0) >= MEASUREMENTS_MAX || (await countMeasurements(db, model)) >= OF_MODEL_MAX) {
        log.warn({ model }, 'enclave measurement was not logged, because the log is full');
        return;
      }
      const before = await newestMeasurement(db, { model, role });
      const seq = (head?.seq ?? 0) + 1;
      const earliest = head ? entryOf(head).at : 0;
      const payload = measurementEntrySchema.parse({
        version: 1,
        seq,
        previous: head ? entryHash(head.entry) : null,
        // The clocks of other processes may be ahead.
        at: Math.max(earliest, Math.floor(at / 1_000)),
        ...measured,
        changed: changedRegisters(before ? entryOf(before) : null, measured),
      } satisfies MeasurementEntry);
      const entry = keys.sign(payload, MEASUREMENT_TYPE);
      if (await insertMeasurement(db, { seq, digest, model, role, entry, last_seen: at })) return;
    }
    throw new Error('Other processes kept writing the log.');
  }
}

export function entryOf({ entry }: Pick<MeasurementRow, 'entry'>): MeasurementEntry {
  const jws = readCompactJws(entry, MEASUREMENT_TYPE);
  if (typeof jws === 'string') throw new Error(jws);
  return measurementEntrySchema.parse(jws.payload);
}

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
} from '@/lib/protocol/attestation/measurement-log';
import { readCompactJws } from '@/lib/protocol/receipts/compact-jws';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { ReceiptKeys } from '../billing/receipts/receipt-keys';
import {
  countMeasurements,
  currentMeasurements,
  insertMeasurement,
  type MeasurementRow,
  newestMeasurement,
  seeMeasurements,
  setCurrent,
  skipMeasurement,
} from '../db/measurements';
import type { Database } from '../db/schema';

const DAY_MS = 86_400_000;
/**
 * Maximum log entries per model and day for new measurements. Changes back to an earlier measurement have their own
 * limit, so that new measurements always have room.
 */
const NEW_PER_DAY = 250;
const RETURNS_PER_DAY = 24;
const SEEN_EVERY_MS = 3_600_000;
const TRIES_MAX = 10;
const COUNTED_MAX = 5_000;

interface Parts {
  db: Database;
  keys: Pick<ReceiptKeys, 'sign'>;
  now: () => number;
  log: Logger;
}

/**
 * Log of the enclave measurements that this gateway saw. Entries are signed and chained by hash. Changes above a
 * model's daily limit are only counted.
 */
export class MeasurementLog {
  /** Digests of measurements that were counted but got no entry. */
  readonly #counted = new Set<string>();

  constructor(private readonly parts: Parts) {}

  /** Records a verdict's measurements. Never rejects, because no caller awaits the result. */
  async note(model: string, verdict: Pick<ServedVerdict, 'conclusion' | 'enclaves'>): Promise<void> {
    const measured = new Map(measuredBy(model, verdict).map((each) => [measurementDigest(each), each]));
    if (measured.size === 0) return;
    try {
      await this.#note(model, measured, this.parts.now());
    } catch (error) {
      this.parts.log.warn({ err: error, model }, 'logging an enclave measurement failed');
    }
  }

  async #note(model: string, measured: ReadonlyMap<string, Measured>, at: number): Promise<void> {
    const { db } = this.parts;
    const skipped = new Set<string>();
    for (let tries = 0; tries < TRIES_MAX;) {
      const current = await currentMeasurements(db, model);
      const isCurrent = (digest: string) => current.some((row) => row.digest === digest);
      const missing = [...measured].find(([digest]) => !isCurrent(digest) && !skipped.has(digest));
      if (missing === undefined) return this.#seen(current, measured, at);
      const outcome = await this.#add(...missing, at);
      if (outcome === 'skipped') skipped.add(missing[0]);
      if (outcome === 'taken') tries += 1;
    }
    throw new Error('Other processes kept writing the log.');
  }

  async #seen(
    current: Awaited<ReturnType<typeof currentMeasurements>>,
    measured: ReadonlyMap<string, Measured>,
    at: number,
  ): Promise<void> {
    const { db } = this.parts;
    const roles = new Set([...measured.values()].map(({ role }) => role as string));
    const gone = current.filter(({ digest, role }) => roles.has(role) && !measured.has(digest));
    const due = current.filter(({ digest, last_seen: last }) => measured.has(digest) && at - last >= SEEN_EVERY_MS);
    await setCurrent(
      db,
      gone.map(({ seq }) => seq),
      0,
    );
    await seeMeasurements(
      db,
      due.map(({ seq }) => seq),
      at,
    );
  }

  /** @returns `taken` if another process has added an entry first */
  async #add(digest: string, measured: Measured, at: number): Promise<'added' | 'skipped' | 'taken'> {
    const { db, keys, log } = this.parts;
    const { model, role } = measured;
    // Reads the newest entry before the other queries. If another process adds an entry meanwhile, the insert below
    // fails, because the sequence number is taken.
    const head = await newestMeasurement(db);
    const [ofModel, ofRole, earlier] = await Promise.all([
      newestMeasurement(db, { model }),
      newestMeasurement(db, { model, role }),
      newestMeasurement(db, { digest }),
    ]);
    if (earlier?.is_current === 1) return 'taken';
    const isReturn = earlier === undefined ? 0 : 1;
    const inDay = await countMeasurements(db, { model, since: at - DAY_MS, isReturn });
    if (ofModel !== undefined && inDay >= (isReturn === 1 ? RETURNS_PER_DAY : NEW_PER_DAY)) {
      if (!this.#counted.has(digest)) await skipMeasurement(db, ofModel.seq);
      if (earlier !== undefined) await setCurrent(db, [earlier.seq], 1);
      else if (this.#counted.size < COUNTED_MAX) this.#counted.add(digest);
      log.info({ model }, "enclave measurement was not logged, because the model's measurements changed too often");
      return 'skipped';
    }
    const seq = (head?.seq ?? 0) + 1;
    const earliest = head ? entryOf(head).at : 0;
    const payload = measurementEntrySchema.parse({
      version: 1,
      seq,
      previous: head ? entryHash(head.entry) : null,
      // Times must not decrease, even if the previous entry is from a process whose clock is ahead.
      at: Math.max(earliest, Math.floor(at / 1_000)),
      ...measured,
      changed: changedRegisters(ofRole ? entryOf(ofRole) : null, measured),
      ...(ofModel !== undefined && ofModel.skipped > 0 && { skipped: ofModel.skipped }),
    } satisfies MeasurementEntry);
    const row = { seq, digest, model, role, last_seen: at, logged_at: at, is_return: isReturn, is_current: 1 };
    const entry = keys.sign(payload, MEASUREMENT_TYPE);
    return (await insertMeasurement(db, { ...row, entry })) ? 'added' : 'taken';
  }
}

export function entryOf({ entry }: Pick<MeasurementRow, 'entry'>): MeasurementEntry {
  const jws = readCompactJws(entry, MEASUREMENT_TYPE);
  if (typeof jws === 'string') throw new Error(jws);
  return measurementEntrySchema.parse(jws.payload);
}

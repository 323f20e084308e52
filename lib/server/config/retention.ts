import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Checks of videos, refunds and idempotency keys need charges of this many days. */
const LEDGER_DAYS_MIN = 8;

export const retentionSchema = z.strictObject({
  ledgerDays: z
    .number()
    .int()
    .min(LEDGER_DAYS_MIN)
    .max(36_500)
    .nullable()
    .default(null)
    .describe(
      'Charges older than this many whole UTC days move to archive files, and daily rows replace them in the ledger; null keeps every charge in the database',
    ),
  archiveDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the archive files; by default "archive" in the data folder. With Postgres, use one folder, of one gateway or shared by all',
    ),
  requestDays: z
    .number()
    .int()
    .min(0)
    .max(366)
    .default(30)
    .describe("Days that the log of each account's requests is kept; 0 keeps none"),
  requestsPerAccountMax: z
    .number()
    .int()
    .min(100)
    .max(20_000)
    .default(10_000)
    .describe('Requests kept of an account: so many that succeeded, and as many that failed'),
  receiptDays: z
    .number()
    .int()
    .min(0)
    .max(3_650)
    .default(90)
    .describe('Days in which a caller can fetch a receipt; 0 makes none'),
  receiptsPerAccountMax: z
    .number()
    .int()
    .min(10)
    .max(100_000)
    .default(10_000)
    .describe('Receipts kept of an account; a new one replaces the oldest'),
});

export interface RetentionConfig {
  ledgerDays: number | null;
  /** Absolute path of the archives' folder. */
  archiveDir: string;
  requests: { days: number; perAccountMax: number };
  receipts: { days: number; perAccountMax: number };
}

/** Resolves the path of the archives' folder. */
export function retentionOf(
  {
    ledgerDays,
    archiveDir,
    requestDays,
    requestsPerAccountMax,
    receiptDays,
    receiptsPerAccountMax,
  }: z.output<typeof retentionSchema>,
  dataDir: string,
  cwd: string,
): RetentionConfig {
  return {
    ledgerDays,
    archiveDir: archiveDir === undefined ? join(dataDir, 'archive') : resolve(cwd, archiveDir),
    requests: { days: requestDays, perAccountMax: requestsPerAccountMax },
    receipts: { days: receiptDays, perAccountMax: receiptsPerAccountMax },
  };
}

import { join, resolve } from 'node:path';
import { z } from 'zod';

/**
 * Charges must stay in the ledger for this many days, because videos, refunds and idempotency keys may refer to them.
 */
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
      'Folder of the archive files; by default "archive" in the data folder. On Postgres, all gateways that archive must use the same folder',
    ),
  requestDays: z
    .number()
    .int()
    .min(0)
    .max(366)
    .default(30)
    .describe('Days for which requests of an account are kept; 0 keeps none'),
  requestsPerAccountMax: z
    .number()
    .int()
    .min(100)
    .max(20_000)
    .default(10_000)
    .describe('Maximum requests kept for each account, separately for successful and failed ones'),
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
    .describe('Maximum receipts kept for each account; a new one replaces the oldest'),
});

export interface RetentionConfig {
  ledgerDays: number | null;
  /** Absolute path of the archive folder. */
  archiveDir: string;
  requests: { days: number; perAccountMax: number };
  receipts: { days: number; perAccountMax: number };
}

/** Resolves the path of the archive folder. */
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

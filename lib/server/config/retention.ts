import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Longer than whatever looks for a charge by its request: videos, refunds and keys are through with it by then. */
const LEDGER_DAYS_MIN = 8;

/** What is kept in the database for how long. */
export const retentionSchema = z.strictObject({
  ledgerDays: z
    .number()
    .int()
    .min(LEDGER_DAYS_MIN)
    .max(36_500)
    .nullable()
    .default(null)
    .describe(
      'Charges older than so many whole days of UTC become daily rows of the ledger, and go to archive files; null keeps each of them in the database',
    ),
  archiveDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the archive files: "archive" in the data folder, unless given. On Postgres one folder, of one gateway or shared',
    ),
});

export interface RetentionConfig {
  ledgerDays: number | null;
  /** Absolute path of the archives' folder. */
  archiveDir: string;
}

/** The same with the folder in its place. */
export function retentionOf(
  { ledgerDays, archiveDir }: z.output<typeof retentionSchema>,
  dataDir: string,
  cwd: string,
): RetentionConfig {
  return { ledgerDays, archiveDir: archiveDir === undefined ? join(dataDir, 'archive') : resolve(cwd, archiveDir) };
}

import { z } from 'zod';
import { gatewayFiguresSchema } from './gateway-figures';

const day = z.object({
  /** UTC day such as `2026-11-24`. */
  day: z.string(),
  charges: z.number(),
  chargedNanoUsd: z.number(),
  /** Payments received by x402. */
  paidInNanoUsd: z.number(),
  /** Withdrawals with their fees, without failed withdrawals. */
  withdrawnNanoUsd: z.number(),
});

/** Totals over all accounts, in nano-USD. Times are ISO 8601. */
const booksFiguresSchema = z.object({
  accounts: z.number(),
  keys: z.object({ live: z.number(), ended: z.number() }),
  /** Days in order, ending today. */
  days: z.array(day),
  /** Payments without a final result, by state. */
  openPayments: z.array(
    z.object({ state: z.string(), payments: z.number(), nanoUsd: z.number(), oldestAt: z.string() }),
  ),
  /** Last check of the ledger; null if there was none. */
  ledgerCheck: z.object({ at: z.string(), faults: z.number() }).nullable(),
});

/**
 * Answer of `GET /api/v1/operator/figures` and `npm run admin -- status --json`: figures of each gateway process on the
 * data folder, and the ledger's totals.
 */
export const operatorFiguresSchema = z.object({
  /** `figures` is null if the process did not answer. */
  gateways: z.array(z.object({ pid: z.number(), figures: gatewayFiguresSchema.nullable() })),
  books: booksFiguresSchema,
});

export type OperatorFigures = z.output<typeof operatorFiguresSchema>;
export type BooksFigures = z.output<typeof booksFiguresSchema>;

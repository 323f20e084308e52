import { z } from 'zod';
import { gatewayFiguresSchema } from './gateway-figures';

const day = z.object({
  /** Of UTC, such as `2026-11-24`. */
  day: z.string(),
  charges: z.number(),
  chargedNanoUsd: z.number(),
  /** By x402. */
  paidInNanoUsd: z.number(),
});

/** What the books say to an operator at a glance: sums and counts over all accounts. Amounts in nano-USD, times as ISO 8601. */
const booksFiguresSchema = z.object({
  accounts: z.number(),
  keys: z.object({ live: z.number(), ended: z.number() }),
  /** In the order of the calendar, the last one today. */
  days: z.array(day),
  /** Earlier days that there was no time to sum. */
  daysLeftOut: z.number(),
  /** Payments that are not decided, by state. */
  openPayments: z.array(
    z.object({ state: z.string(), payments: z.number(), nanoUsd: z.number(), oldestAt: z.string() }),
  ),
  /** Null where the books were never checked. */
  ledgerCheck: z.object({ at: z.string(), faults: z.number() }).nullable(),
});

/** What `GET /api/v1/operator/figures` and `npm run admin -- status --json` say: the gateways on the data folder, and the books. */
export const operatorFiguresSchema = z.object({
  /** Null where a gateway did not answer. */
  gateways: z.array(z.object({ pid: z.number(), figures: gatewayFiguresSchema.nullable() })),
  books: booksFiguresSchema,
});

export type OperatorFigures = z.output<typeof operatorFiguresSchema>;
export type BooksFigures = z.output<typeof booksFiguresSchema>;

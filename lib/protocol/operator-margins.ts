import { z } from 'zod';

const daySums = z.object({
  day: z.string(),
  charges: z.number(),
  units: z.number(),
  /** Charges minus refunds. */
  incomeNanoUsd: z.number(),
  /** Sum of the charges paid from daily allocations and bundled credits. */
  givenNanoUsd: z.number(),
  /** Lower and upper bound of the cost, equal if the cost is exact; null if no cost is configured. */
  costNanoUsd: z.object({ least: z.number(), most: z.number() }).nullable(),
});

/** Answer of `GET /api/v1/operator/margins`. */
export const operatorMarginsSchema = z.object({
  days: z.array(z.string()),
  resources: z.array(
    z.object({
      product: z.string(),
      /** Model id or network slug. */
      name: z.string(),
      unit: z.string(),
      /** Leaves out days without charges. */
      days: z.array(daySums),
    }),
  ),
});

export type OperatorMargins = z.output<typeof operatorMarginsSchema>;
export type ResourceMargins = OperatorMargins['resources'][number];

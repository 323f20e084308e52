import { z } from 'zod';

const daySums = z.object({
  /** UTC day such as `2026-11-24`. */
  day: z.string(),
  charges: z.number(),
  units: z.number(),
  /** Charges minus refunds. */
  incomeNanoUsd: z.number(),
  /** Part of the charges that daily allocations and bundled credits paid. */
  givenNanoUsd: z.number(),
  /** Bounds of what the units cost the operator; null if no cost is set. Both are equal if the cost is known exactly. */
  costNanoUsd: z.object({ least: z.number(), most: z.number() }).nullable(),
});

/** Answer of `GET /api/v1/operator/margins`: income and cost of each model and network, by day. */
export const operatorMarginsSchema = z.object({
  /** UTC days in order, ending today. */
  days: z.array(z.string()),
  resources: z.array(
    z.object({
      /** Such as `chat` or `rpc`. */
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

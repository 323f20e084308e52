import { z } from 'zod';

const upstream = z.object({
  /** Position in the configuration, such as `upstream 1`. Not the URL, which may contain an API key. */
  name: z.string(),
  state: z.string(),
  latencyP50Ms: z.number().nullable(),
  lagBlocks: z.number().nullable(),
  lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
});

/** Figures of a gateway since its start. */
export const gatewayFiguresSchema = z.object({
  /** ISO 8601. */
  startedAt: z.string(),
  /** True if the gateway is shutting down and accepts no new connections. */
  isDraining: z.boolean(),
  /** Admitted paid requests that are neither settled nor released. */
  openCalls: z.number(),
  /** Requests in the last few minutes. Absent for a process of an older release. */
  traffic: z
    .object({
      windowMs: z.number(),
      requests: z.number(),
      /** Number of requests that were answered with a status of 500 or more. */
      failed: z.number(),
      /** Duration that 95 of 100 requests did not exceed; null if there were no requests. */
      p95Ms: z.number().nullable(),
    })
    .optional(),
  /** Number of errors by code. Leaves out codes that never occurred. */
  refusals: z.record(z.string(), z.number()),
  networks: z.array(z.object({ network: z.string(), upstreams: z.array(upstream) })),
});

export type GatewayFigures = z.output<typeof gatewayFiguresSchema>;

const day = z.object({
  /** UTC day such as `2026-11-24`. */
  day: z.string(),
  charges: z.number(),
  chargedNanoUsd: z.number(),
  /** Sum of the received x402 payments. */
  paidInNanoUsd: z.number(),
  /** Withdrawals including fees, minus failed ones. Can be negative. */
  withdrawnNanoUsd: z.number(),
  /** Requests to all gateway processes; null if none. The gateway keeps these numbers for 30 days. */
  traffic: z.object({ requests: z.number(), failed: z.number(), p95Ms: z.number().nullable() }).nullable(),
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
  /** Last check of the ledger; null before the first check. */
  ledgerCheck: z.object({ at: z.string(), faults: z.number() }).nullable(),
});

/**
 * Answer of `GET /api/v1/operator/figures` and `npm run admin -- status --json`: figures of each gateway process that
 * uses the data folder, and the ledger's totals.
 */
export const operatorFiguresSchema = z.object({
  /** `figures` is null if the process did not answer. */
  gateways: z.array(z.object({ pid: z.number(), figures: gatewayFiguresSchema.nullable() })),
  books: booksFiguresSchema,
});

export type OperatorFigures = z.output<typeof operatorFiguresSchema>;
export type BooksFigures = z.output<typeof booksFiguresSchema>;

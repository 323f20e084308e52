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
  /** Requests of the last minutes. Absent for a process of an older release. */
  traffic: z
    .object({
      windowMs: z.number(),
      requests: z.number(),
      /** Requests that were answered with a status of 500 or more. */
      failed: z.number(),
      /** Duration that 95 of 100 requests did not exceed; null without requests. */
      p95Ms: z.number().nullable(),
    })
    .optional(),
  /** Errors by code, without codes that never occurred. */
  refusals: z.record(z.string(), z.number()),
  networks: z.array(z.object({ network: z.string(), upstreams: z.array(upstream) })),
});

export type GatewayFigures = z.output<typeof gatewayFiguresSchema>;

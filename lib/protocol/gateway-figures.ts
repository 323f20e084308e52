import { z } from 'zod';

const upstream = z.object({
  /** As the configuration numbers it, `upstream 1`: URLs hold keys. */
  name: z.string(),
  state: z.string(),
  latencyP50Ms: z.number().nullable(),
  lagBlocks: z.number().nullable(),
  lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
});

/** What one running gateway says of itself to its operator. Counts are since its start. */
export const gatewayFiguresSchema = z.object({
  /** ISO 8601. */
  startedAt: z.string(),
  /** Whether it is about to end, and takes no new connections. */
  isDraining: z.boolean(),
  /** Paid calls that are admitted, and neither settled nor released. */
  openCalls: z.number(),
  /** Answers that were errors, by their code; codes that never came are left out. */
  refusals: z.record(z.string(), z.number()),
  networks: z.array(z.object({ network: z.string(), upstreams: z.array(upstream) })),
});

export type GatewayFigures = z.output<typeof gatewayFiguresSchema>;

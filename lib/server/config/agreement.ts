import { z } from 'zod';

const NODES_MAX = 16;

export const agreementSchema = z.strictObject({
  methods: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(256)
    .describe('Methods whose answers several upstreams must agree on'),
  nodes: z.number().int().min(2).max(NODES_MAX).default(3).describe('Number of upstreams asked for each call'),
  agreeing: z
    .number()
    .int()
    .min(2)
    .max(NODES_MAX)
    .default(2)
    .describe('Number of upstreams that must give the same answer'),
  priceMultiplier: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Price of a successful call, as a multiple of the normal price; by default the number of upstreams asked',
    ),
});

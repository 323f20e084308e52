import { z } from 'zod';

/** Upstreams that a network has at most. */
const NODES_MAX = 16;

export const agreementSchema = z.strictObject({
  methods: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(256)
    .describe('Methods whose answers several upstreams must agree on'),
  nodes: z.number().int().min(2).max(NODES_MAX).default(3).describe('Upstreams that are asked each time'),
  agreeing: z.number().int().min(2).max(NODES_MAX).default(2).describe('Upstreams that must give the same answer'),
  priceMultiplier: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('What a successful call costs, as a multiple of its price; the number of upstreams asked unless given'),
});

import { z } from 'zod';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import type { Operation } from '../../http/operation';
import { TOO_MANY_OF_CALLER } from '../openapi/refusals';
import { usageParameters } from './usage-query';

const REFUSALS: Operation['responses'] = {
  401: { description: 'No credential, or one that does not hold', schema: standardErrorSchema },
  429: TOO_MANY_OF_CALLER,
  503: { description: 'The gateway cannot reach its database', schema: standardErrorSchema },
};

const usd = z.string().describe('USD, exact to 9 decimals');

/** GET /billing/balance in the API description. */
export const billingBalanceDocs: Operation = {
  id: 'billingBalance',
  summary: "The caller's balance by pot, and today's allocation",
  description: 'Free of charge. Calls with a key spend the daily allocation first, then bundled credits, then USD; calls by wallet sign-in spend what the wallet prepaid.',
  credentials: ['apiKey', 'signInWithX'],
  responses: {
    200: {
      description: 'The balance',
      schema: z.object({
        canConsume: z.boolean().describe('Whether anything is there to be spent by this credential'),
        consumptionCurrency: z.enum(['DIEM', 'BUNDLED_CREDITS', 'USD', 'X402']).describe('What the next call is charged to'),
        balances: z.object({ diem: z.number(), bundledCredits: z.number(), usd: z.number() }).describe('USD'),
        diemEpochAllocation: z.number().describe('What was fixed for today (UTC), in USD; 0 where nothing is'),
        diemEpochEndsAt: z.string().describe('When the allocation is new: the next 00:00 UTC'),
        x402Usd: z.number().optional().describe('What the wallet has prepaid, in USD; by sign-in only'),
      }),
    },
    ...REFUSALS,
  },
};

const spent = {
  units: z.number().describe('Credits of rpc, tokens of chat (prompt and completion), characters of speech, seconds of video'),
  amount: usd,
  currency: z.string().describe('The first pot it was charged to: DIEM, BUNDLED_CREDITS, USD or X402'),
  pots: z.record(z.string(), usd).describe('How the amount was split over pots'),
};
const period = { startDate: z.string(), endDate: z.string() };

const keyName = z.object({ id: z.string(), last6: z.string(), description: z.string() }).nullable().describe('null for wallet sign-in');

const listSchema = z.object({
  ...period,
  data: z.array(
    z.object({
      timestamp: z.string(),
      resource: z.string().describe('What was bought, such as rpc/ethereum-mainnet'),
      detail: z.string().describe('In which form, such as the method'),
      ...spent,
      apiKey: keyName,
      requestId: z.string(),
    }),
  ),
  pagination: z.object({ page: z.number(), limit: z.number(), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
});

const movement = z.object({ opening: usd, credited: usd, charged: usd, expired: usd, closing: usd });

const sumsSchema = z.object({
  ...period,
  groupBy: z.string(),
  data: z.array(z.object({ group: z.string().describe('The day, the resource, or the id of the key (empty for wallet sign-in)'), apiKey: keyName.optional(), charges: z.number(), ...spent })),
  totals: z.object({
    charges: z.number(),
    units: z.number(),
    amount: usd,
    refunded: usd.describe('What was paid back in this period for videos that failed, whatever is filtered. Their charges stay in the sums, and this is part of what was credited'),
    pots: z.record(z.string(), movement).describe('How each pot came from its balance at the start to that at the end, whatever is filtered'),
    reconciles: z.boolean().describe('Whether opening, plus credited, less charged and expired, is closing, for each pot'),
  }),
});

/** GET /billing/usage in the API description. */
export const billingUsageDocs: Operation = {
  id: 'billingUsage',
  summary: "The caller's charges, newest first, or their sums",
  description: 'Free of charge. A charge that spans pots is one entry. With groupBy, sums by day, resource or key, and how each pot moved.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: Object.entries(usageParameters).map(([name, schema]) => ({ name, in: 'query' as const, required: false, description: schema.description ?? '', schema: inputOf(name) })),
  responses: {
    200: { description: 'Charges, or sums', schema: z.union([listSchema, sumsSchema]) },
    400: { description: 'A parameter that is not valid, named in details', schema: detailedErrorSchema },
    ...REFUSALS,
  },
};

/** What is written in the query: without what is made of it. */
function inputOf(name: string): z.ZodType {
  if (name === 'limit') return z.int().min(1).max(500).default(50);
  if (name === 'page' || name === 'apiKeyId') return z.int().min(1);
  return name === 'groupBy' ? z.enum(['day', 'resource', 'key']) : z.string();
}

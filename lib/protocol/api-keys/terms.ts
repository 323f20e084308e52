import { z } from 'zod';

/** What a key may do: use paid endpoints, or also see and revoke the keys of its account. */
export const apiKeyTypeSchema = z.enum(['INFERENCE', 'ADMIN']);

/** Over what a consumption limit counts: a day of UTC, a month of UTC, or the key's life. */
export const limitPeriodSchema = z.enum(['EPOCH', 'MONTH', 'LIFETIME']);

/** Caps of a key in USD: `usd` on bundled credits and USD, `diem` on the daily allocation; null for none. */
export const keyLimitSchema = z.object({
  usd: z.number().nullable().describe('Most that may be spent of bundled credits and USD in a period; null for no limit'),
  diem: z.number().nullable().describe('Most that may be spent of the daily allocation in a period; null for no limit'),
});

const time = z.string().describe('ISO 8601, UTC');

/** A key that was just made: the one answer that shows it. */
export const mintedKeySchema = z
  .object({
    apiKey: z.string().describe('The key. It is shown this once and kept as a hash only'),
    apiKeyType: apiKeyTypeSchema,
    consumptionLimit: keyLimitSchema,
    limitPeriod: limitPeriodSchema,
    description: z.string(),
    expiresAt: time.nullable(),
    id: z.string().describe('Names the key in lists and for revoking it. Opaque'),
  })
  .meta({ id: 'MintedKey' });

const spentSchema = z.object({
  usd: z.number().describe('Bundled credits and USD spent'),
  diem: z.number().describe('Daily allocation spent'),
});

/** A key as it is listed: everything but the key itself. */
export const listedKeySchema = z
  .object({
    id: z.string(),
    apiKeyType: apiKeyTypeSchema,
    description: z.string(),
    last6Chars: z.string().describe('The last 6 characters of the key, to tell keys apart'),
    consumptionLimit: keyLimitSchema,
    limitPeriod: limitPeriodSchema,
    usage: z.object({ currentPeriod: spentSchema, total: spentSchema }).describe('In USD; the current period is that of limitPeriod'),
    createdAt: time,
    lastUsedAt: time.nullable().describe('Time of its last charge; null where it was never charged'),
    expiresAt: time.nullable(),
    revokedAt: time.nullable(),
  })
  .meta({ id: 'ListedKey' });

/** One page of keys, newest first. */
export const keyPageSchema = z
  .object({
    success: z.literal(true),
    data: z.array(listedKeySchema),
    pagination: z.object({ limit: z.number(), offset: z.number(), hasMore: z.boolean() }),
    usageAsOf: time.describe('Charges up to this time are in the usage'),
  })
  .meta({ id: 'KeyPage' });

export type ApiKeyType = z.output<typeof apiKeyTypeSchema>;
export type LimitPeriod = z.output<typeof limitPeriodSchema>;
export type MintedKey = z.output<typeof mintedKeySchema>;
export type ListedKey = z.output<typeof listedKeySchema>;
export type KeyPage = z.output<typeof keyPageSchema>;

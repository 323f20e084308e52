import { z } from 'zod';
import { DAY_MS, epochAt, epochName, epochStart } from '../allocation/epoch';
import { keyScopeSchema } from './key-scope';

/** An INFERENCE key can use paid endpoints. An ADMIN key can also manage the account's API keys. */
export const apiKeyTypeSchema = z.enum(['INFERENCE', 'ADMIN']);

/** `EPOCH` is a UTC day, `MONTH` is a UTC month, and `LIFETIME` is the key's lifetime. */
export const limitPeriodSchema = z.enum(['EPOCH', 'MONTH', 'LIFETIME']);

/** Limits of an API key per period: `usd` for bundled credits and USD, `diem` for the daily allocation. */
const keyLimitSchema = z.object({
  usd: z
    .number()
    .nullable()
    .describe('Most that the key may spend of bundled credits and USD together in a limitPeriod; null for no limit'),
  diem: z
    .number()
    .nullable()
    .describe('Most that the key may spend of the daily allocation in a limitPeriod; null for no limit'),
});

const time = z.string().describe('ISO 8601, UTC');

const keptAlertSchema = z.object({ usd: z.number(), webhookUrl: z.string().nullable() });

const webhookSecret = z
  .string()
  .describe('Secret that signs messages to webhookUrl: whsec_ and Base64 of 32 bytes (Standard Webhooks)');

/** Minted API key. The gateway never shows the field `apiKey` again. */
export const mintedKeySchema = z
  .object({
    apiKey: z.string().describe('The key. It is shown only now; the gateway stores only its hash'),
    apiKeyType: apiKeyTypeSchema,
    consumptionLimit: keyLimitSchema,
    limitPeriod: limitPeriodSchema,
    description: z.string(),
    expiresAt: time.nullable(),
    id: z.string().describe('Opaque id of the key, for lists and for revoking it'),
    allow: keyScopeSchema.optional().describe('What the key may be used for; if absent, everything'),
    prepaidLimitUsd: z
      .number()
      .optional()
      .describe("Most of the wallet's prepaid balance that the key may spend in a limitPeriod; if absent, none"),
    alert: keptAlertSchema.optional().describe('When the owner is alerted about spending'),
    webhookSecret: webhookSecret.optional(),
  })
  .meta({ id: 'MintedKey' });

const spentSchema = z.object({
  usd: z.number().describe('Bundled credits and USD spent'),
  diem: z.number().describe('Daily allocation spent'),
});

const listedKeySchema = z
  .object({
    id: z.string(),
    apiKeyType: apiKeyTypeSchema,
    description: z.string(),
    last6Chars: z.string().describe('Last 6 characters of the key'),
    consumptionLimit: keyLimitSchema,
    limitPeriod: limitPeriodSchema,
    usage: z
      .object({ currentPeriod: spentSchema, total: spentSchema })
      .describe('Spending in USD; the current period is the running limitPeriod'),
    allow: keyScopeSchema.nullable().describe('What the key may be used for; null for everything'),
    prepaidLimitUsd: z
      .number()
      .nullable()
      .describe("Most of the wallet's prepaid balance that the key may spend in a limitPeriod; null for none"),
    alert: keptAlertSchema
      .extend({
        last: z
          .object({
            period: z.string().describe('UTC day or month, or all'),
            spentUsd: z.number(),
            reachedAt: time,
            deliveredAt: time.nullable().describe('When the webhook accepted the message'),
            attempts: z.number(),
            nextAttemptAt: time.nullable(),
            error: z.string().nullable(),
          })
          .nullable()
          .describe('The last time that the amount was reached'),
      })
      .nullable()
      .describe('When the owner is alerted about spending; null for never'),
    createdAt: time,
    lastUsedAt: time.nullable().describe('Time of the last charge; null before the first'),
    expiresAt: time.nullable(),
    revokedAt: time.nullable(),
  })
  .meta({ id: 'ListedKey' });

/** Page of API keys, newest first. */
export const keyPageSchema = z
  .object({
    success: z.literal(true),
    data: z.array(listedKeySchema),
    pagination: z.object({ limit: z.number(), offset: z.number(), hasMore: z.boolean() }),
    usageAsOf: time.describe('The usage includes charges up to this time'),
  })
  .meta({ id: 'KeyPage' });

/** Answer of PATCH /api_keys. */
export const changedKeySchema = z
  .object({ success: z.literal(true), data: listedKeySchema.extend({ webhookSecret: webhookSecret.optional() }) })
  .meta({ id: 'ChangedKey' });

export type ApiKeyType = z.output<typeof apiKeyTypeSchema>;
export type LimitPeriod = z.output<typeof limitPeriodSchema>;
export type MintedKey = z.output<typeof mintedKeySchema>;
export type ListedKey = z.output<typeof listedKeySchema>;
export type KeyPage = z.output<typeof keyPageSchema>;

/**
 * Returns the name of the limit period that contains a time, in UTC: a day as `2026-11-20`, a month as `2026-11`, or
 * `all` for a lifetime.
 *
 * @param atMs Unix milliseconds
 */
export function periodName(period: LimitPeriod, atMs: number): string {
  switch (period) {
    case 'EPOCH':
      return epochName(epochAt(atMs));
    case 'MONTH':
      return epochName(epochAt(atMs)).slice(0, 'YYYY-MM'.length);
    case 'LIFETIME':
      return 'all';
  }
}

/** Returns the start of the limit period that contains a time, in Unix milliseconds; 0 for a lifetime. */
export function periodStart(period: LimitPeriod, atMs: number): number {
  switch (period) {
    case 'EPOCH':
      return epochStart(epochAt(atMs));
    case 'MONTH':
      return epochStart(epochAt(atMs)) - (new Date(atMs).getUTCDate() - 1) * DAY_MS;
    case 'LIFETIME':
      return 0;
  }
}

import { z } from 'zod';
import { keyScopeSchema } from './key-scope';

/** What a key may do: use paid endpoints, or also see and revoke the keys of its account. */
export const apiKeyTypeSchema = z.enum(['INFERENCE', 'ADMIN']);

/** Over what a consumption limit counts: a day of UTC, a month of UTC, or the key's life. */
export const limitPeriodSchema = z.enum(['EPOCH', 'MONTH', 'LIFETIME']);

/** Caps of a key in USD: `usd` on bundled credits and USD, `diem` on the daily allocation; null for none. */
export const keyLimitSchema = z.object({
  usd: z
    .number()
    .nullable()
    .describe('Most that may be spent of bundled credits and USD in a period; null for no limit'),
  diem: z.number().nullable().describe('Most that may be spent of the daily allocation in a period; null for no limit'),
});

const time = z.string().describe('ISO 8601, UTC');

const keptAlertSchema = z.object({ usd: z.number(), webhookUrl: z.string().nullable() });

const webhookSecret = z
  .string()
  .describe('With which messages to webhookUrl are signed: whsec_ and Base64 of 32 bytes (Standard Webhooks)');

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
    allow: keyScopeSchema.optional().describe('What it may be used for; everything where it is absent'),
    alert: keptAlertSchema.optional().describe('When its owner is told what it spent'),
    webhookSecret: webhookSecret.optional(),
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
    usage: z
      .object({ currentPeriod: spentSchema, total: spentSchema })
      .describe('In USD; the current period is that of limitPeriod'),
    allow: keyScopeSchema.nullable().describe('What it may be used for; null for everything'),
    prepaidLimitUsd: z
      .number()
      .nullable()
      .describe('What it may spend in a limitPeriod of what its wallet prepaid; null for none of it'),
    alert: keptAlertSchema
      .extend({
        last: z
          .object({
            period: z.string().describe('Day or month of UTC, or all'),
            spentUsd: z.number(),
            reachedAt: time,
            deliveredAt: time.nullable().describe('When the webhook took it'),
            attempts: z.number(),
            nextAttemptAt: time.nullable(),
            error: z.string().nullable(),
          })
          .nullable()
          .describe('The last time that it was reached'),
      })
      .nullable()
      .describe('When its owner is told what it spent; null for never'),
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

/** The answer to PATCH /api_keys. */
export const changedKeySchema = z
  .object({ success: z.literal(true), data: listedKeySchema.extend({ webhookSecret: webhookSecret.optional() }) })
  .meta({ id: 'ChangedKey' });

export type ApiKeyType = z.output<typeof apiKeyTypeSchema>;
export type LimitPeriod = z.output<typeof limitPeriodSchema>;
export type MintedKey = z.output<typeof mintedKeySchema>;
export type ListedKey = z.output<typeof listedKeySchema>;
export type KeyPage = z.output<typeof keyPageSchema>;

import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { z } from 'zod';
import type { NanoUsd } from '../pricing';
import { keyAlertSchema, type KeyAlertTerms, usdAmountSchema } from './key-budget';
import { type KeyScope, keyScopeSchema } from './key-scope';
import { type ApiKeyType, apiKeyTypeSchema, type LimitPeriod, limitPeriodSchema } from './terms';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d{2}:\d{2})$/;
const UTC = /^(?:Z|[+-]00:00)$/;

/**
 * Parses an ISO 8601 time with a UTC offset. A date means the end of that UTC day. Returns Unix milliseconds, or null
 * for any other text. Refuses a time without an offset, because it would depend on the machine's time zone.
 *
 * @param utcOnly true to refuse offsets other than zero
 */
export function expiryTimeOf(text: string, { utcOnly }: { utcOnly: boolean }): number | null {
  if (DATE.test(text)) return hasDay(text) ? Date.parse(`${text}T23:59:59.999Z`) : null;
  const offset = ISO_8601.exec(text)?.groups?.['offset'];
  if (offset === undefined || !hasDay(text) || (utcOnly && !UTC.test(offset))) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Needed because `Date.parse` rolls February 30 over into March. */
function hasDay(text: string): boolean {
  const day = text.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Longest description of an API key, in UTF-16 code units. */
const KEY_DESCRIPTION_MAX = 256;

/** Control characters and lone surrogates, which some databases cannot store. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

const consumptionLimit = z
  .strictObject({
    usd: usdAmountSchema
      .optional()
      .describe('Most that the key may spend of bundled credits and USD together; null for no limit'),
    diem: usdAmountSchema
      .optional()
      .describe('Most that the key may spend of the daily allocation, in USD; null for no limit'),
    vcu: usdAmountSchema.optional().describe('Old name of diem'),
  })
  .refine(({ diem, vcu }) => diem === undefined || vcu === undefined || diem === vcu, {
    path: ['vcu'],
    message: 'Is an old name of diem. Send only one of the two fields, or the same amount in both',
  });

/** Body of POST /api_keys/generate_web3_key (spec, "Web3 key minting"). The gateway refuses unknown fields. */
export const mintRequestSchema = z
  .strictObject({
    address: z.string().describe('EVM address of the wallet'),
    signature: z.string().describe('personal_sign signature by that wallet over the raw token text'),
    token: z.string().describe('The unmodified token from GET /api_keys/generate_web3_key'),
    apiKeyType: z
      .enum(apiKeyTypeSchema.options, 'Must be INFERENCE or ADMIN')
      .describe('INFERENCE, or ADMIN, which can also list and revoke keys'),
    description: z
      .string()
      .max(KEY_DESCRIPTION_MAX, `Must have at most ${KEY_DESCRIPTION_MAX} characters`)
      .refine((text) => !UNPRINTABLE.test(text), 'Must be plain text on one line')
      .nullish()
      .describe('Name of the key, shown in lists; null for none'),
    expiresAt: z
      .string()
      .refine(
        (text) => text === '' || expiryTimeOf(text, { utcOnly: true }) !== null,
        'Must be empty, a date such as 2027-01-31, or an ISO 8601 time in UTC such as 2027-01-31T12:00:00Z',
      )
      .nullish()
      .describe('When the key expires: a date (at its end, UTC) or an ISO 8601 time in UTC. Empty or null for never'),
    consumptionLimit: consumptionLimit
      .nullish()
      .describe('Most that the key may spend in a limitPeriod; null for no limit'),
    limitPeriod: z
      .enum(limitPeriodSchema.options, 'Must be EPOCH, MONTH or LIFETIME')
      .optional()
      .describe('EPOCH (a UTC day), MONTH or LIFETIME (default)'),
    allow: keyScopeSchema.optional().describe('What the key may be used for; without it, everything'),
    prepaidLimitUsd: usdAmountSchema
      .optional()
      .describe(
        "Most of the wallet's prepaid balance that the key may spend in a limitPeriod, after its other balances; null for none. Needs a token bound to these terms (termsSha256)",
      ),
    alert: keyAlertSchema.optional().describe('When the owner is alerted about spending'),
  })
  .meta({ id: 'MintRequest' });

/** Body of POST /api_keys: the terms of a new API key, except those that need a wallet's signature. */
export const makeKeyRequestSchema = mintRequestSchema
  .omit({ address: true, signature: true, token: true, prepaidLimitUsd: true })
  .extend({
    apiKeyType: z
      .literal('INFERENCE', 'Must be INFERENCE: only a wallet mints ADMIN keys')
      .optional()
      .describe('INFERENCE; only a wallet mints ADMIN keys'),
  })
  .meta({ id: 'MakeKeyRequest' });

export type MintRequest = z.input<typeof mintRequestSchema>;

/** Terms of an API key, with amounts in nano-USD and times in Unix milliseconds. */
export interface MintTerms {
  type: ApiKeyType;
  description: string;
  expiresAt: number | null;
  limitPeriod: LimitPeriod;
  limitUsdNano: NanoUsd | null;
  limitDiemNano: NanoUsd | null;
  limitPrepaidNano: NanoUsd | null;
  allow: KeyScope | null;
  alert: KeyAlertTerms | null;
}

export function mintTermsOf({
  apiKeyType,
  description,
  expiresAt,
  consumptionLimit: limit,
  limitPeriod = 'LIFETIME',
  prepaidLimitUsd,
  allow,
  alert,
}: Omit<z.output<typeof mintRequestSchema>, 'address' | 'signature' | 'token'>): MintTerms {
  return {
    type: apiKeyType,
    description: description ?? '',
    expiresAt: expiryTimeOf(expiresAt ?? '', { utcOnly: true }),
    limitPeriod,
    limitUsdNano: nanoOrNull(limit?.usd),
    limitDiemNano: nanoOrNull(limit?.diem ?? limit?.vcu),
    limitPrepaidNano: nanoOrNull(prepaidLimitUsd),
    allow: allow ?? null,
    alert: alert ?? null,
  };
}

function nanoOrNull(usd: number | null | undefined): NanoUsd | null {
  return usd === null || usd === undefined ? null : nanoUsdOfNumber(usd);
}

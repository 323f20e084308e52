import { z } from 'zod';
import type { NanoUsd } from '../pricing';
import { nanoUsdOfNumber } from '../usd-number';
import { expiryTimeOf } from './expiry-time';
import { keyAlertSchema, type KeyAlertTerms, usdAmountSchema } from './key-budget';
import { type KeyScope, keyScopeSchema } from './key-scope';
import { type ApiKeyType, apiKeyTypeSchema, type LimitPeriod, limitPeriodSchema } from './terms';

/** Longest name that a key can be given, in UTF-16 code units. */
export const KEY_DESCRIPTION_MAX = 256;

/** Control characters, and halves of surrogate pairs: no text for people, and not every database can keep them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

const consumptionLimit = z
  .strictObject({
    usd: usdAmountSchema
      .optional()
      .describe('Most that the key may spend of bundled credits and USD; null for no limit'),
    diem: usdAmountSchema
      .optional()
      .describe('Most that the key may spend of the daily allocation, in USD; null for no limit'),
    vcu: usdAmountSchema.optional().describe('An old name of diem'),
  })
  .refine(({ diem, vcu }) => diem === undefined || vcu === undefined || diem === vcu, {
    path: ['vcu'],
    message: 'Is an old name of diem: give one of the two, or the same amount in both',
  });

/** The body of POST /api_keys/generate_web3_key (spec, "Web3 key minting"). Unknown fields are refused. */
export const mintRequestSchema = z
  .strictObject({
    address: z.string().describe('EVM address of the wallet'),
    signature: z.string().describe('personal_sign signature of that wallet over the raw token text'),
    token: z.string().describe('The unmodified token of the GET'),
    apiKeyType: z
      .enum(apiKeyTypeSchema.options, 'Must be INFERENCE or ADMIN')
      .describe('INFERENCE, or ADMIN, which may also list and revoke keys'),
    description: z
      .string()
      .max(KEY_DESCRIPTION_MAX, `Must have at most ${KEY_DESCRIPTION_MAX} characters`)
      .refine((text) => !UNPRINTABLE.test(text), 'Must be plain text on one line')
      .nullish()
      .describe('Name for people; null for none'),
    expiresAt: z
      .string()
      .refine(
        (text) => text === '' || expiryTimeOf(text, { utcOnly: true }) !== null,
        'Must be empty, a date such as 2027-01-31, or an ISO 8601 time in UTC such as 2027-01-31T12:00:00Z',
      )
      .nullish()
      .describe('When the key ends: a date (its end, UTC), an ISO 8601 time in UTC, or empty or null for never'),
    consumptionLimit: consumptionLimit
      .nullish()
      .describe('Caps what the key may spend in a limitPeriod; null for no limit'),
    limitPeriod: z
      .enum(limitPeriodSchema.options, 'Must be EPOCH, MONTH or LIFETIME')
      .optional()
      .describe('EPOCH (a day of UTC), MONTH or LIFETIME (default)'),
    allow: keyScopeSchema.optional().describe('What the key may be used for; everything where it is left out'),
    alert: keyAlertSchema.optional().describe('When its owner is told what it spent'),
  })
  .meta({ id: 'MintRequest' });

/** The body as a client writes it. */
export type MintRequest = z.input<typeof mintRequestSchema>;

/** What a key is to be, with nothing left open. Amounts in nano-USD, times in Unix milliseconds; null for none. */
export interface MintTerms {
  type: ApiKeyType;
  description: string;
  expiresAt: number | null;
  limitPeriod: LimitPeriod;
  limitUsdNano: NanoUsd | null;
  limitDiemNano: NanoUsd | null;
  allow: KeyScope | null;
  alert: KeyAlertTerms | null;
}

/** The terms that a checked body asks for. */
export function mintTermsOf({
  apiKeyType,
  description,
  expiresAt,
  consumptionLimit: limit,
  limitPeriod = 'LIFETIME',
  allow,
  alert,
}: z.output<typeof mintRequestSchema>): MintTerms {
  return {
    type: apiKeyType,
    description: description ?? '',
    expiresAt: expiryTimeOf(expiresAt ?? '', { utcOnly: true }),
    limitPeriod,
    limitUsdNano: nanoOrNull(limit?.usd),
    limitDiemNano: nanoOrNull(limit?.diem ?? limit?.vcu),
    allow: allow ?? null,
    alert: alert ?? null,
  };
}

function nanoOrNull(usd: number | null | undefined): NanoUsd | null {
  return usd === null || usd === undefined ? null : nanoUsdOfNumber(usd);
}

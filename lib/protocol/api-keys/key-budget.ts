import { z } from 'zod';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { keyScopeSchema } from './key-scope';

/** Amount in USD (at least 0, at most 9 decimals), or null. */
export const usdAmountSchema = z
  .number('Must be a number from 0, or null')
  .superRefine((usd, context) => {
    const fault = faultOf(() => nanoUsdOfNumber(usd));
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .nullable();

/** Alert of a key: the spending per limit period that triggers the alert, and an optional webhook. */
export const keyAlertSchema = z
  .strictObject({
    usd: z
      .number('Must be a number above 0')
      .positive('Must be more than 0')
      .superRefine((usd, context) => {
        const fault = faultOf(() => nanoUsdOfNumber(usd));
        if (fault !== null) context.addIssue({ code: 'custom', message: fault });
      })
      .describe('Total spending in USD at which the alert is sent, once in each limitPeriod'),
    webhookUrl: z
      .string()
      .max(2_000, 'Has more than 2000 characters')
      .refine((url) => !/[\p{Cc}\p{Cs}]/u.test(url), 'Must not hold control characters')
      .nullable()
      .optional()
      .describe(
        'URL that receives a signed message (Standard Webhooks); null shows the alert only in the list of keys',
      ),
  })
  .meta({ id: 'KeyAlert' });

/** Body of PATCH /api_keys. An absent field keeps its value; null removes the value. */
export const keyBudgetSchema = z
  .strictObject({
    allow: keyScopeSchema.nullable().optional().describe('What the key may be used for; null for everything'),
    prepaidLimitUsd: usdAmountSchema
      .optional()
      .describe(
        "Most of the wallet's prepaid balance that the key may spend in a limitPeriod, after its other balances; null for none. Needs a wallet sign-in",
      ),
    alert: keyAlertSchema.nullable().optional().describe('When the owner is alerted about spending; null for never'),
  })
  .refine(
    (budget) => Object.values(budget).some((value) => value !== undefined),
    'Has nothing to change: send allow, prepaidLimitUsd or alert',
  )
  .meta({ id: 'KeyBudgetRequest' });

export type KeyBudgetRequest = z.output<typeof keyBudgetSchema>;
export type KeyAlertTerms = z.output<typeof keyAlertSchema>;

function faultOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'Must be an amount';
  }
}

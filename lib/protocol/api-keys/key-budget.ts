import { z } from 'zod';
import { nanoUsdOfNumber } from '../usd-number';
import { keyScopeSchema } from './key-scope';

/** A number of USD from 0, of at most 9 decimals; null for none. */
export const usdAmountSchema = z
  .number('Must be a number from 0, or null')
  .superRefine((usd, context) => {
    const fault = faultOf(() => nanoUsdOfNumber(usd));
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .nullable();

/** At which spending of a period an owner is told, and where beside the list of keys. */
export const keyAlertSchema = z
  .strictObject({
    usd: z
      .number('Must be a number above 0')
      .positive('Must be more than 0')
      .superRefine((usd, context) => {
        const fault = faultOf(() => nanoUsdOfNumber(usd));
        if (fault !== null) context.addIssue({ code: 'custom', message: fault });
      })
      .describe('Told once in each limitPeriod in which the key has spent so much of everything together, in USD'),
    webhookUrl: z
      .string()
      .max(2_000, 'Has more than 2000 characters')
      .nullable()
      .optional()
      .describe('Where a signed message is sent then (Standard Webhooks); null for the list of keys alone'),
  })
  .meta({ id: 'KeyAlert' });

/** The body of PATCH /api_keys: what is left out stays as it is, null takes it away. */
export const keyBudgetSchema = z
  .strictObject({
    allow: keyScopeSchema.nullable().optional().describe('What the key may be used for; null for everything'),
    prepaidLimitUsd: usdAmountSchema
      .optional()
      .describe(
        'What the key may spend in a limitPeriod of what its wallet prepaid, after everything else; null for none of it. By wallet sign-in only',
      ),
    alert: keyAlertSchema.nullable().optional().describe('When its owner is told what it spent; null for never'),
  })
  .refine(
    (budget) => Object.values(budget).some((value) => value !== undefined),
    'Says nothing to change: give allow, prepaidLimitUsd or alert',
  )
  .meta({ id: 'KeyBudgetRequest' });

export type KeyBudgetRequest = z.output<typeof keyBudgetSchema>;
export type KeyAlertTerms = z.output<typeof keyAlertSchema>;

/** What stands against reading a number as an amount, in a sentence; null where nothing does. */
export function faultOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'Is not an amount';
  }
}

import type { KeyBudget, ListedKey } from '@/lib/client';
import { SOLD, type Sold } from '@/lib/protocol/api-keys/key-scope';
import { nanoUsdOfNumber } from '@/lib/protocol/usd-number';
import { keyBudgetWords as words } from '../words/wallet-keys';

/** What stands in the form: all texts but the choice of what may be bought. */
export interface KeyBudgetFields {
  endpoints: readonly Sold[];
  networks: string;
  models: string;
  prepaid: string;
  alert: string;
  webhook: string;
}

export type KeyBudgetProblems = Partial<Record<keyof KeyBudgetFields, string>>;

/** The form as it opens: what the key has now. */
export function fieldsOf({ allow, prepaidLimitUsd, alert }: ListedKey): KeyBudgetFields {
  return {
    endpoints: allow?.endpoints ?? SOLD,
    networks: allow?.networks?.join(', ') ?? '',
    models: allow?.models?.join(', ') ?? '',
    prepaid: prepaidLimitUsd === null ? '' : String(prepaidLimitUsd),
    alert: alert === null ? '' : String(alert.usd),
    webhook: alert?.webhookUrl ?? '',
  };
}

/**
 * What the form asks to be changed, or what is wrong with it.
 *
 * @param byWallet whether the wallet's sign-in asks, which alone may give prepaid money away
 * @param slugs of the gateway's networks; null while they are not known, and then the gateway itself says what is none
 */
export function readKeyBudget(
  fields: KeyBudgetFields,
  byWallet: boolean,
  slugs: readonly string[] | null,
): { ok: true; budget: KeyBudget } | { ok: false; problems: KeyBudgetProblems } {
  const problems: KeyBudgetProblems = {};
  const amountOf = (name: 'prepaid' | 'alert'): number | null => {
    const text = fields[name].trim();
    if (text === '') return null;
    const usd = Number(text);
    if (!isAmount(usd) || (name === 'alert' && usd === 0)) problems[name] = words.notAnAmount;
    return usd;
  };
  if (fields.endpoints.length === 0) problems.endpoints = words.nothingAllowed;
  const [networks, models] = [namesIn(fields.networks), namesIn(fields.models)];
  const unknown = networks.find((network) => slugs !== null && !slugs.includes(network));
  if (unknown !== undefined) problems.networks = words.unknownNetwork(unknown.slice(0, 60));
  const allow = {
    ...(fields.endpoints.length < SOLD.length && { endpoints: [...fields.endpoints] }),
    ...(networks.length > 0 && { networks }),
    ...(models.length > 0 && { models }),
  };
  const prepaidLimitUsd = amountOf('prepaid');
  const alertUsd = amountOf('alert');
  const webhookUrl = fields.webhook.trim() === '' ? null : fields.webhook.trim();
  if (webhookUrl !== null && alertUsd === null) problems.alert = words.webhookNeedsAmount;
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const alert = alertUsd === null ? null : { usd: alertUsd, webhookUrl };
  return {
    ok: true,
    budget: { allow: Object.keys(allow).length === 0 ? null : allow, alert, ...(byWallet && { prepaidLimitUsd }) },
  };
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

function isAmount(usd: number): boolean {
  try {
    nanoUsdOfNumber(usd);
    return true;
  } catch {
    return false;
  }
}

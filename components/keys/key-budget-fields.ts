import type { KeyBudget, ListedKey } from '@/lib/client';
import { type Privacy, SOLD, type Sold } from '@/lib/protocol/api-keys/key-scope';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { keyBudgetWords as words } from './key-list-words';

export interface KeyBudgetFields {
  endpoints: readonly Sold[];
  networks: string;
  models: string;
  /** Privacy restriction of the key. The form keeps the restriction and cannot change it. */
  privacy: Privacy | null;
  prepaid: string;
  alert: string;
  webhook: string;
}

export type KeyBudgetProblems = Partial<Record<keyof KeyBudgetFields, string>>;

export function fieldsOf({ allow, prepaidLimitUsd, alert }: ListedKey): KeyBudgetFields {
  return {
    endpoints: allow?.endpoints ?? SOLD,
    networks: allow?.networks?.join(', ') ?? '',
    models: allow?.models?.join(', ') ?? '',
    privacy: allow?.privacy ?? null,
    prepaid: prepaidLimitUsd === null ? '' : String(prepaidLimitUsd),
    alert: alert === null ? '' : String(alert.usd),
    webhook: alert?.webhookUrl ?? '',
  };
}

/**
 * Parses the changes from the form, or returns the form's fault.
 * @param byWallet whether the request is sent with a wallet's sign-in; only a sign-in may grant prepaid money
 * @param slugs slugs of the gateway's networks; null while unknown, when only the gateway validates the networks
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
    ...(fields.privacy !== null && { privacy: fields.privacy }),
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

'use client';

import { createFieldDrafts } from '@/lib/browser/storage/text-drafts';
import { isDay } from '@/lib/browser/text/calendar-days';
import { SOLD } from '@/lib/protocol/api-keys/key-scope';
import type { LimitPeriod } from '@/lib/protocol/api-keys/terms';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { mintWords } from './key-list-words';

const words = mintWords.problems;

export interface MintFields {
  type: string;
  name: string;
  /** Date such as `2027-01-31`; empty if the key never expires. */
  expires: string;
  period: string;
  /** USD; empty for no limit. */
  usd: string;
  diem: string;
  /** `allocation`, or `prepaid` to spend prepaid money after the allocation; empty until chosen. */
  spends: string;
  /** USD. */
  prepaid: string;
  /** Names separated by commas; empty for all. */
  endpoints: string;
  networks: string;
  models: string;
}

export const NO_FIELDS: MintFields = {
  type: 'INFERENCE',
  name: '',
  expires: '',
  period: 'LIFETIME',
  usd: '',
  diem: '',
  spends: '',
  prepaid: '',
  endpoints: '',
  networks: '',
  models: '',
};

export type ReadFields =
  | { ok: true; wish: MintWish }
  | { ok: false; problems: Partial<Record<keyof MintFields, string>> };

/** Typed as a record, so that a missing period is a compile error. */
const PERIODS: Readonly<Record<LimitPeriod, true>> = { EPOCH: true, MONTH: true, LIFETIME: true };
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Parses the form, or returns the fault in each field. */
export function readMintFields(fields: MintFields, now: Date): ReadFields {
  const problems: Partial<Record<keyof MintFields, string>> = {};
  if (UNPRINTABLE.test(fields.name)) problems.name = words.name;
  const expires = fields.expires.trim();
  if (expires !== '' && !(isDay(expires) && Date.parse(`${expires}T23:59:59.999Z`) > now.getTime()))
    problems.expires = words.expires;
  const usd = readLimit(fields.usd);
  const diem = readLimit(fields.diem);
  if (usd === undefined) problems.usd = words.limit;
  if (diem === undefined) problems.diem = words.limit;
  const prepaid = fields.spends === 'prepaid' ? readLimit(fields.prepaid) : null;
  if (prepaid === undefined || (fields.spends === 'prepaid' && !prepaid)) problems.prepaid = words.prepaid;
  if (Object.keys(problems).length > 0 || usd === undefined || diem === undefined || prepaid === undefined)
    return { ok: false, problems };
  const hasLimit = usd !== null || diem !== null;
  const limitPeriod = isPeriod(fields.period) ? fields.period : 'LIFETIME';
  return {
    ok: true,
    wish: {
      apiKeyType: fields.type === 'ADMIN' ? 'ADMIN' : 'INFERENCE',
      ...(fields.name.trim() === '' ? {} : { description: fields.name.trim() }),
      ...(expires === '' ? {} : { expiresAt: expires }),
      ...(hasLimit
        ? {
            consumptionLimit: { ...(usd === null ? {} : { usd }), ...(diem === null ? {} : { diem }) },
          }
        : {}),
      ...(prepaid !== null && { prepaidLimitUsd: prepaid }),
      ...(hasLimit || prepaid !== null ? { limitPeriod } : {}),
      ...scopeIn(fields),
    },
  };
}

export function namesOf(field: string): readonly string[] {
  return field.split(',').filter((name) => name !== '');
}

/** Adds a name to a comma-separated list, or removes it. */
export function withName(field: string, name: string, isIn: boolean): string {
  const others = namesOf(field).filter((each) => each !== name);
  return (isIn ? [...others, name] : others).join(',');
}

function scopeIn({ endpoints, networks, models }: MintFields): Pick<MintWish, 'allow'> {
  const allow = {
    ...(endpoints !== '' && { endpoints: SOLD.filter((each) => namesOf(endpoints).includes(each)) }),
    ...(networks !== '' && { networks: [...namesOf(networks)] }),
    ...(models !== '' && { models: [...namesOf(models)] }),
  };
  return Object.keys(allow).length === 0 ? {} : { allow };
}

/** Returns null for no limit and undefined for an invalid amount. */
function readLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,6}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : undefined;
}

function isPeriod(text: string): text is LimitPeriod {
  return Object.hasOwn(PERIODS, text);
}

export const useMintDraft = createFieldDrafts<{ [Field in keyof typeof NO_FIELDS]: string }>('turnpike.mint-draft', {
  ...NO_FIELDS,
});

import type { LimitPeriod } from '@/lib/protocol/api-keys/terms';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { mintWords } from '../words/wallet-keys';

const words = mintWords.problems;

/** What a person filled in, as text. */
export interface MintFields {
  type: string;
  name: string;
  /** A date, `2027-01-31`; empty for never. */
  expires: string;
  period: string;
  /** USD; empty for no limit. */
  usd: string;
  diem: string;
}

export const NO_FIELDS: MintFields = {
  type: 'INFERENCE',
  name: '',
  expires: '',
  period: 'LIFETIME',
  usd: '',
  diem: '',
};

export type ReadFields =
  | { ok: true; wish: MintWish }
  | { ok: false; problems: Partial<Record<keyof MintFields, string>> };

/** All that there are: a form that offers another one has it here. */
const PERIODS: Readonly<Record<LimitPeriod, true>> = { EPOCH: true, MONTH: true, LIFETIME: true };
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Reads the form, or says of each field what is wrong with it. */
export function readMintFields(fields: MintFields, now: Date): ReadFields {
  const problems: Partial<Record<keyof MintFields, string>> = {};
  if (UNPRINTABLE.test(fields.name)) problems.name = words.name;
  if (fields.expires !== '' && !(Date.parse(`${fields.expires}T23:59:59.999Z`) > now.getTime()))
    problems.expires = words.expires;
  const usd = readLimit(fields.usd);
  const diem = readLimit(fields.diem);
  if (usd === undefined) problems.usd = words.limit;
  if (diem === undefined) problems.diem = words.limit;
  if (Object.keys(problems).length > 0 || usd === undefined || diem === undefined) return { ok: false, problems };
  const hasLimit = usd !== null || diem !== null;
  return {
    ok: true,
    wish: {
      apiKeyType: fields.type === 'ADMIN' ? 'ADMIN' : 'INFERENCE',
      ...(fields.name.trim() === '' ? {} : { description: fields.name.trim() }),
      ...(fields.expires === '' ? {} : { expiresAt: fields.expires }),
      ...(hasLimit
        ? {
            consumptionLimit: { ...(usd === null ? {} : { usd }), ...(diem === null ? {} : { diem }) },
            limitPeriod: isPeriod(fields.period) ? fields.period : 'LIFETIME',
          }
        : {}),
    },
  };
}

/** null for none, undefined for what is no amount. */
function readLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,6}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : undefined;
}

function isPeriod(text: string): text is LimitPeriod {
  return Object.hasOwn(PERIODS, text);
}

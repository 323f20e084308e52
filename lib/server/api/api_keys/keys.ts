import { z } from 'zod';
import { apiError } from '@/lib/protocol/errors';
import type { KeyPage } from '@/lib/protocol/api-keys/terms';
import { type Call, json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readQuery } from '../../http/read-query';
import { keyHolderOf } from '../../auth/minting/key-holder';
import { showListedKey } from '../../auth/minting/shown-key';
import { askStore } from '../../db/ask-store';
import { findApiKey, pageOfApiKeys, revokeApiKey } from '../../db/api-keys';
import { readKeyUsage } from '../../db/key-usage';
import { listKeysDocs, revokeKeyDocs } from './docs';

const PAGE_MAX = 100;
const OFFSET_MAX = 1_000_000;
/** As the database gives them; any other text names no key. */
const KEY_ID = /^[1-9][0-9]{0,14}$/;

const pageSchema = z.object({
  limit: wholeNumber(1, PAGE_MAX).default(PAGE_MAX),
  offset: wholeNumber(0, OFFSET_MAX).default(0),
  includeRevoked: z
    .enum(['true', 'false'], 'Must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
});
const revocationSchema = z.object({ id: z.string('Is missing: it says which key to revoke').min(1, 'Is empty: it says which key to revoke') });

/** GET /api_keys: the keys of the caller's account. DELETE /api_keys?id=: revokes one of them. */
export const apiKeys: Endpoint = {
  path: '/api/v1/api_keys',
  docs: { GET: listKeysDocs, DELETE: revokeKeyDocs },
  GET: async (call, gateway) => {
    const { accountId } = await keyHolderOf(call, gateway);
    const { limit, offset, includeRevoked } = readQuery(call, pageSchema);
    const now = gateway.now();
    const page: KeyPage = { success: true, data: [], pagination: { limit, offset, hasMore: false }, usageAsOf: new Date(now).toISOString() };
    if (accountId === null) return json(page);
    const keys = await askStore(() => pageOfApiKeys(gateway.db, accountId, { limit: limit + 1, offset, includeRevoked }));
    const usage = await askStore(() => readKeyUsage(gateway.db, accountId, now));
    page.data = keys.slice(0, limit).map((key) => showListedKey(key, usage.of(key)));
    page.pagination.hasMore = keys.length > limit;
    page.usageAsOf = new Date(usage.asOf).toISOString();
    return json(page);
  },
  DELETE: async (call, gateway) => {
    const { accountId } = await keyHolderOf(call, gateway);
    const id = idOf(call);
    const key = id === null || accountId === null ? null : await askStore(() => findApiKey(gateway.db, id));
    if (!key || key.accountId !== accountId) throw apiError('API_KEY_NOT_FOUND');
    await askStore(() => revokeApiKey(gateway.db, key.id, gateway.now()));
    return json({ success: true });
  },
};

function idOf(call: Call): number | null {
  const { id } = readQuery(call, revocationSchema);
  return KEY_ID.test(id) ? Number(id) : null;
}

function wholeNumber(min: number, max: number) {
  const fault = `Must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^[0-9]{1,9}$/, fault).transform(Number).refine((value) => value >= min && value <= max, fault);
}

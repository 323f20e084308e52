import type { ListedKey } from '@/lib/protocol/api-keys/terms';
import { apiError } from '@/lib/protocol/errors';
import { showListedKey } from '../../auth/minting/shown-key';
import type { ApiKey } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { lastAlerts } from '../../db/key-alerts';
import { readKeyUsage } from '../../db/key-usage';
import type { Database } from '../../db/schema';

const KEY_ID = /^[1-9][0-9]{0,14}$/;

/** Parses the id of a key. @throws ApiError 404 if no key can have this id */
export function keyIdOf(text: string): number {
  if (!KEY_ID.test(text)) throw apiError('API_KEY_NOT_FOUND');
  return Number(text);
}

/** Returns a key in the form of GET /api_keys, with its usage and last alert. */
export async function showKey(db: Database, key: ApiKey, now: number): Promise<ListedKey> {
  const usage = await askStore(() => readKeyUsage(db, key.accountId, now));
  const alerts = await askStore(() => lastAlerts(db, [key.id]));
  return showListedKey(key, usage.of(key), alerts.get(key.id) ?? null);
}

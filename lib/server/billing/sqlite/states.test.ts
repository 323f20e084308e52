import { stat } from 'node:fs/promises';
import { setImmediate as lastPhase } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAccount } from '../../db/accounts';
import { hashApiKey, insertApiKey, newApiKeySecret, revokeApiKey } from '../../db/api-keys';
import { SqliteBooks } from '@/test/sqlite-books';
import { States } from './states';

/** Guards that what was answered as done holds for the next request, in whichever phase of the event loop somebody looked before. */
it('a key that was revoked is so for the next request, where the store was looked at in the last phase of the turn before', async () => {
  const { store } = await SqliteBooks.open();
  const secret = newApiKeySecret();
  const accountId = await createAccount(store.db, { label: '', tier: 'paid' });
  const id = await insertApiKey(store.db, secret, { accountId, type: 'INFERENCE', description: '', expiresAt: null, limitPeriod: 'MONTH', limitUsdNano: null, limitDiemNano: null });
  const states = new States(store.meterConnection);
  await lastPhase();
  expect(states.key(hashApiKey(secret))).toMatchObject({ id, revokedAt: null });
  await revokeApiKey(store.db, id);
  // Ready when the loop looks for what has come, before it gets to its last phase again.
  const arrives = stat('.');
  for (const untilMs = performance.now() + 50; performance.now() < untilMs; );
  await arrives;
  expect(states.key(hashApiKey(secret))?.revokedAt).toEqual(expect.any(Number));
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '@/lib/server/config/load';
import type { StandIns } from '@/lib/server/api/capabilities/sandbox';
import { createGateway, type Gateway } from '@/lib/server/create-gateway';
import { createLog } from '@/lib/server/telemetry/log';
import { tempFolder } from '@/test/temp-folder';
import { hashApiKey } from './db/api-keys';
import { createAccount } from './db/accounts';
import { DatabaseOfOtherProfile } from './db/database-profile';
import { openSqlite } from './db/sqlite/open';

/** Starts a gateway with a profile. The simulators of a sandbox are never called. */
async function start(profile: 'sandbox' | 'live', folder: string): Promise<Gateway> {
  const config = loadConfig(
    { TURNPIKE_PROFILE: profile, TURNPIKE_SECRET: 's'.repeat(32), TURNPIKE_DATA_DIR: folder, LOG_LEVEL: 'silent' },
    folder,
  );
  const standIns: StandIns | null =
    profile === 'sandbox' ? { url: 'http://127.0.0.1:1', networks: new Set(), demoSecret: 's'.repeat(32) } : null;
  const gateway = await createGateway(config, standIns, createLog('silent'));
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Reads the database of a folder as operators' commands do. */
async function look<T>(
  folder: string,
  read: (db: Awaited<ReturnType<typeof openSqlite>>['db']) => Promise<T>,
): Promise<T> {
  const store = await openSqlite(folder, { exclusive: false });
  try {
    return await read(store.db);
  } finally {
    await store.close();
  }
}

describe('a gateway that is started on the data of the other profile', () => {
  it("does not start: live never accepts a sandbox's demo key", async () => {
    const folder = tempFolder();
    const sandbox = await start('sandbox', folder);
    const demoKey = sandbox.sandbox?.demoKey as string;
    expect(await sandbox.meter.findKey(hashApiKey(demoKey))).not.toBeNull();
    await sandbox.close();
    await expect(start('live', folder)).rejects.toThrow(DatabaseOfOtherProfile);
    await (await start('sandbox', folder)).close();
  });

  it('does not start: the sandbox adds no account to live data, marked or from before the mark', async () => {
    const folder = tempFolder();
    await look(folder, (db) => createAccount(db, { label: 'a customer', tier: 'paid' }));
    const accounts = () =>
      look(folder, async (db) => (await db.selectFrom('accounts').select('label').execute()).map(({ label }) => label));
    await expect(start('sandbox', folder)).rejects.toThrow(DatabaseOfOtherProfile);
    expect(await accounts()).toEqual(['a customer']);
    await (await start('live', folder)).close();
    await expect(start('sandbox', folder)).rejects.toThrow('belongs to the live profile');
    expect(await accounts()).toEqual(['a customer']);
  });
});

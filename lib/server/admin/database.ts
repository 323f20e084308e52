import { resolve } from 'node:path';
import { checkLedger } from '../billing/ledger-check';
import { markForProfile } from '../db/database-profile';
import { describePlace } from '../db/open';
import { backUp, CopyRefused, restore } from '../db/sqlite/copies';
import type { Database } from '../db/schema';
import type { OfflineCommand, StoreCommand } from './command';
import { oneOf, text } from './values';

const checkBooks = async (db: Database): Promise<string[]> => (await checkLedger(db)).faults;

/** `database mark` */
export const markDatabase: StoreCommand = {
  name: 'database mark',
  summary:
    'Say whose database it is, where no gateway has marked it yet; for live, revoke the keys of a demo account in it',
  audited: true,
  options: { profile: { type: 'string', value: 'PROFILE', description: 'sandbox or live', required: true } },
  run: async ({ db, config, options }) => {
    const profile = oneOf(options, 'profile', ['sandbox', 'live']) as 'sandbox' | 'live';
    const revokedKeys = await markForProfile(db, profile, describePlace(config));
    const revoked =
      revokedKeys === 0 ? '' : ` ${revokedKeys} key${revokedKeys === 1 ? '' : 's'} of a demo account revoked.`;
    return { text: `The database belongs to the ${profile} profile.${revoked}`, json: { profile, revokedKeys } };
  },
};

/** `database backup` */
export const backUpDatabase: StoreCommand = {
  name: 'database backup',
  summary: 'Copy the SQLite database into a new file while it is used, and check the copy',
  audited: true,
  options: {
    file: { type: 'string', value: 'FILE', description: 'The copy; there must be no such file yet', required: true },
  },
  run: async ({ db, config, options }) => {
    if (config.databaseUrl) throw new CopyRefused('The store is a Postgres: copy it with pg_dump --format=custom.');
    const file = resolve(process.env.INIT_CWD ?? '.', text(options, 'file') ?? '');
    await backUp(db, file, checkBooks);
    return { text: `The database was copied to ${file}; the books of the copy agree.`, json: { file } };
  },
};

/** `database restore` */
export const restoreDatabase: OfflineCommand = {
  offline: true,
  name: 'database restore',
  summary: 'Check a copy and put it in the place of the SQLite database, which is kept; no gateway may run on it',
  audited: true,
  options: { file: { type: 'string', value: 'FILE', description: 'The copy, which stays as it is', required: true } },
  run: async ({ config, options }) => {
    if (config.databaseUrl) throw new CopyRefused('The store is a Postgres: restore it with pg_restore.');
    const kept = await restore(
      config.dataDir,
      resolve(process.env.INIT_CWD ?? '.', text(options, 'file') ?? ''),
      checkBooks,
    );
    return {
      text: `The copy is in place, and its books agree.${kept === null ? '' : ` What was there is kept as ${kept}.`}`,
      json: { kept },
    };
  },
};

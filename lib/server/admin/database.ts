import { resolve } from 'node:path';
import { checkLedger, checkSinceProof } from '../billing/ledger-check';
import { markForProfile } from '../db/database-profile';
import { describePlace } from '../db/open';
import { backUp, CopyRefused, restore } from '../db/sqlite/copies';
import type { Database } from '../db/schema';
import type { OfflineCommand, StoreCommand } from './command';
import { oneOf, text } from './options';

const checkNewRows = async (db: Database): Promise<string[]> => (await checkSinceProof(db)).faults;
/** Checks all rows and not only the rows since the last check, because a copy can be damaged anywhere. */
const checkAllRows = async (db: Database): Promise<string[]> => (await checkLedger(db)).faults;

export const markDatabase: StoreCommand = {
  name: 'database mark',
  summary: 'Set the profile of an unmarked database; for live, also revoke the keys of a demo account',
  audited: true,
  options: { profile: { type: 'string', value: 'PROFILE', description: 'sandbox or live', required: true } },
  run: async ({ db, config, options }) => {
    const profile = oneOf(options, 'profile', ['sandbox', 'live']) as 'sandbox' | 'live';
    const revokedKeys = await markForProfile(db, profile, describePlace(config));
    const revoked =
      revokedKeys === 0 ? '' : ` ${revokedKeys} key${revokedKeys === 1 ? '' : 's'} of a demo account revoked.`;
    return { text: `The database now belongs to the ${profile} profile.${revoked}`, json: { profile, revokedKeys } };
  },
};

export const backUpDatabase: StoreCommand = {
  name: 'database backup',
  summary: 'Copy the SQLite database to a new file while it is in use, and verify the copy',
  audited: true,
  upgrades: false,
  options: {
    file: { type: 'string', value: 'FILE', description: 'File of the copy, which must not exist yet', required: true },
  },
  run: async ({ db, config, options }) => {
    if (config.databaseUrl) throw new CopyRefused('The database is Postgres: copy it with pg_dump --format=custom.');
    const file = resolve(process.env.INIT_CWD ?? '.', text(options, 'file') ?? '');
    await backUp(db, file, checkNewRows);
    return {
      text: `The database was copied to ${file}, and every balance in the copy matches its ledger.`,
      json: { file },
    };
  },
};

export const restoreDatabase: OfflineCommand = {
  offline: true,
  name: 'database restore',
  summary: 'Verify a copy and restore it. Stop the gateway first; the present SQLite database is kept',
  audited: true,
  options: {
    file: { type: 'string', value: 'FILE', description: 'File of the copy, which is not changed', required: true },
  },
  run: async ({ config, options }) => {
    if (config.databaseUrl) throw new CopyRefused('The database is Postgres: restore it with pg_restore.');
    const kept = await restore(
      config.dataDir,
      resolve(process.env.INIT_CWD ?? '.', text(options, 'file') ?? ''),
      checkAllRows,
    );
    return {
      text: `The copy was restored, and every balance agrees.${kept === null ? '' : ` The earlier database is kept as ${kept}.`}`,
      json: { kept },
    };
  },
};

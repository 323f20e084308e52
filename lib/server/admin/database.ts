import { markForProfile } from '../db/database-profile';
import { describePlace } from '../db/open';
import type { StoreCommand } from './command';
import { oneOf } from './values';

/** `database mark` */
export const markDatabase: StoreCommand = {
  name: 'database mark',
  summary: 'Say whose database it is, where no gateway has marked it yet; for live, revoke the keys of a demo account in it',
  options: { profile: { type: 'string', value: 'PROFILE', description: 'sandbox or live', required: true } },
  run: async ({ db, config, options }) => {
    const profile = oneOf(options, 'profile', ['sandbox', 'live']) as 'sandbox' | 'live';
    const revokedKeys = await markForProfile(db, profile, describePlace(config));
    const revoked = revokedKeys === 0 ? '' : ` ${revokedKeys} key${revokedKeys === 1 ? '' : 's'} of a demo account revoked.`;
    return { text: `The database belongs to the ${profile} profile.${revoked}`, json: { profile, revokedKeys } };
  },
};

import { DEMO_CREDIT_DETAIL, DEMO_LABEL } from './demo-account';
import type { Database } from './schema';

/** Profile that owns a database. Test money and real money never share a database. */
export type Profile = 'sandbox' | 'live';

const MARK = 'profile';

export class DatabaseOfOtherProfile extends Error {
  override readonly name = 'DatabaseOfOtherProfile';
}

/**
 * Checks that a database belongs to the given profile. Marks an empty database permanently for that profile. A database
 * of an earlier release has no mark. It belongs to the sandbox if it has the demo account, otherwise to live.
 * @param place the database's description, without its password
 * @throws DatabaseOfOtherProfile; nothing is changed
 */
export async function claimForProfile(db: Database, profile: Profile, place: string): Promise<void> {
  const marked = await markOf(db);
  const owner = marked ?? (await profileOfContent(db)) ?? profile;
  if (owner !== profile) throw refusal({ owner, profile, place, isMarked: marked !== null });
  if (marked) return;
  await setMark(db, profile);
  // Another gateway that is starting may have marked the database first.
  const won = await markOf(db);
  if (won !== profile) throw refusal({ owner: won ?? profile, profile, place, isMarked: true });
}

/**
 * Marks an unmarked database for the profile that the operator chose. Marking it for live also revokes the keys of a
 * sandbox demo account, in the same transaction.
 * @returns number of revoked keys
 * @throws DatabaseOfOtherProfile if the database is marked for the other profile
 */
export function markForProfile(db: Database, profile: Profile, place: string, now = Date.now()): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await setMark(transaction, profile);
    const owner = await markOf(transaction);
    if (owner !== profile) throw refusal({ owner: owner ?? profile, profile, place, isMarked: true });
    if (profile === 'sandbox') return 0;
    const demo = await demoAccounts(transaction);
    if (demo.length === 0) return 0;
    const revoked = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('account_id', 'in', demo)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return Number(revoked.numUpdatedRows);
  });
}

async function markOf(db: Database): Promise<Profile | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', MARK).executeTakeFirst();
  return (row?.value ?? null) as Profile | null;
}

async function setMark(db: Database, profile: Profile): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name: MARK, value: profile })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

async function profileOfContent(db: Database): Promise<Profile | null> {
  if ((await demoAccounts(db)).length > 0) return 'sandbox';
  const [account, payment] = await Promise.all([
    db.selectFrom('accounts').select('id').limit(1).executeTakeFirst(),
    db.selectFrom('payments').select('id').limit(1).executeTakeFirst(),
  ]);
  return account || payment ? 'live' : null;
}

/** Finds demo accounts by label and grant. Anyone can choose that label, but only the sandbox writes that grant. */
async function demoAccounts(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .innerJoin('ledger', 'ledger.account_id', 'accounts.id')
    .select('accounts.id')
    .distinct()
    .where('accounts.label', '=', DEMO_LABEL)
    .where('ledger.kind', '=', 'GRANT')
    .where('ledger.detail', '=', DEMO_CREDIT_DETAIL)
    .execute();
  return rows.map(({ id }) => id);
}

const REASONS: Readonly<Record<Profile, string>> = {
  live: 'The live profile would accept its demo key, and count its play money as real.',
  sandbox: 'The sandbox would add its demo account with 1,000 USD to real customers.',
};

function refusal({
  owner,
  profile,
  place,
  isMarked,
}: {
  owner: Profile;
  profile: Profile;
  place: string;
  isMarked: boolean;
}): DatabaseOfOtherProfile {
  const how = isMarked
    ? `belongs to the ${owner} profile, which used it first`
    : owner === 'sandbox'
      ? "contains a sandbox's demo account"
      : 'contains accounts, but no demo account of a sandbox';
  const remedy = `Start with TURNPIKE_PROFILE=${owner}, or give the ${profile} profile a database of its own (TURNPIKE_DATA_DIR or DATABASE_URL).`;
  const otherwise = isMarked
    ? ''
    : ` If it belongs to the ${profile} profile after all, npm run admin -- database mark --profile ${profile} records that permanently${profile === 'live' ? ", and revokes the demo account's keys" : ''}.`;
  return new DatabaseOfOtherProfile(
    `The database (${place}) ${how}, and the ${profile} profile was started on it. ${REASONS[profile]} ${remedy}${otherwise} Nothing in it was changed.`,
  );
}

import { expect, it, onTestFinished } from 'vitest';
import { sql } from 'kysely';
import { Secret } from '../../config/secret';
import { describeWithPostgres } from '../../testing/postgres';
import { createAccount } from '../accounts';
import { openPostgres } from './open';

describeWithPostgres('opening a database', (server) => {
  it('migrates it, once', async () => {
    const url = new Secret(await server().createDatabase());
    const store = await openPostgres(url);
    onTestFinished(() => store.close());
    const id = await createAccount(store.db, { label: 'x', tier: 'paid' });
    expect(id).toBe(1);
    const r = await sql.raw("select * from turnpike_meter('[]', '', '{}', true, null)").execute(store.db);
    expect(r.rows).toEqual([]);
  });
});

import { sql } from 'kysely';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { beginAudit, listAudit } from '../db/audit-log';
import { auditReload } from './audit';
import { describeStores } from '@/test/describe-stores';
import { describeOperators, operatorOf } from '@/test/operator';

const WALLET = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

describeOperators('the audit log', (operator) => {
  it('has who did what, when, and what came of it; nothing of what was only looked at', async () => {
    const { json, run } = await operator();
    await json('accounts create --label Ann --tier paid --usd 1.5');
    await json('accounts list');
    await json('grants add --account 1 --usd 2 --note sorry');
    await json('keys create --account 1');
    expect((await run('grants add --account 77 --usd 2')).code).toBe(1);
    expect((await run('keys revoke --id 99')).code).toBe(2);
    const { entries } = (await json('audit list')) as { entries: Record<string, unknown>[] };
    expect(entries.map(({ command, outcome, detail, arguments: given }) => [command, outcome, detail, given])).toEqual([
      ['keys revoke', 'refused', '', { id: '99' }],
      ['grants add', 'failed', 'CreditRefused', { account: '77', usd: '2' }],
      ['keys create', 'done', 'key 1 of account 1', { account: '1' }],
      ['grants add', 'done', 'account 1', { account: '1', usd: '2', note: '[withheld]' }],
      ['accounts create', 'done', 'account 1', { label: '[withheld]', tier: 'paid', usd: '1.5' }],
    ]);
    for (const { actor, at, endedAt } of entries) {
      expect(actor).toMatch(/^.+@.+$/);
      expect(Date.parse(String(endedAt))).toBeGreaterThanOrEqual(Date.parse(String(at)));
    }
    expect(await json('audit list --limit 1')).toEqual({ entries: [entries[0]] });
    expect(await json(`audit list --before ${String(entries[3]?.id)}`)).toEqual({ entries: [entries[4]] });
  });

  it('has no wallet, no label and no key in it', async () => {
    const { json } = await operator();
    await json(`grants add --wallet ${WALLET} --usd 2 --note ${WALLET}`);
    const { apiKey } = (await json('keys create --account 1 --description mine')) as { apiKey: string };
    const said = JSON.stringify(await json('audit list'));
    expect(said).toContain('account 1');
    for (const secret of [WALLET, apiKey, apiKey.slice(-6), 'mine']) expect(said).not.toContain(secret);
  });
});

function refuseRows(file: string, condition: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    `create trigger refuse before insert on audit_log when ${condition} begin select raise(abort, 'no room'); end`,
  );
  database.close();
}

it('a new key is shown although the audit log cannot record its outcome, with a warning and a failure', async () => {
  const { dataDir, json, run } = operatorOf({});
  await json('accounts create --label Ann');
  refuseRows(join(dataDir, 'turnpike.db'), "new.outcome = 'done'");
  const { code, stdout, stderr } = await run('keys create --account 1 --json');
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, apiKey: expect.stringMatching(/.{20}/) });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The command succeeded, but .*no room.*\n$/)]);
  const { entries } = (await json(`audit list --limit 1`)) as { entries: unknown[] };
  expect(entries).toMatchObject([{ outcome: 'begun', endedAt: null }]);
});

it('a restored database is told although the audit log cannot record it', async () => {
  const { dataDir, folder, json, run } = operatorOf({});
  await json('accounts create --label Ann');
  const copy = join(folder, 'copy.db');
  await json(`database backup --file ${copy}`);
  refuseRows(copy, 'true');
  const { code, stdout, stderr } = await run(`database restore --file ${copy} --json`);
  expect(JSON.parse(stdout)).toEqual({ kept: expect.stringContaining(dataDir) });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The command succeeded, but .*no room/)]);
});

describeStores('the audit log in the database', (open) => {
  it('cannot be changed, and what was broken off stays as begun', async () => {
    const { store } = await open();
    await beginAudit(store.db, { actor: 'ann@host', command: 'grants add', arguments: '{}' });
    for (const statement of ["update audit_log set outcome = 'done'", 'delete from audit_log'])
      await expect(sql.raw(statement).execute(store.db)).rejects.toThrow('append-only');
    expect(await listAudit(store.db, { limit: 5 })).toMatchObject([
      { actor: 'ann@host', outcome: 'begun', endedAt: null },
    ]);
  });

  it('has all reloads, by command or signal', async () => {
    const { store } = await open();
    await auditReload(store.db, { ok: true, changed: ['limits', 'rpc'] });
    await auditReload(store.db, { ok: false, changed: [] });
    expect(await listAudit(store.db, { limit: 5 })).toMatchObject([
      { command: 'reload', outcome: 'refused', arguments: '{"changed":""}' },
      { command: 'reload', outcome: 'done', arguments: '{"changed":"limits, rpc"}' },
    ]);
  });

  it('that cannot be written keeps the action from being done', async () => {
    const books = await open();
    await sql.raw('drop table audit_log').execute(books.store.db);
    await expect(beginAudit(books.store.db, { actor: 'a@b', command: 'c', arguments: '{}' })).rejects.toThrow();
  });
});

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../db/sqlite/open';
import { describeWithPostgres } from '@/test/postgres';
import { tempFolder } from '@/test/temp-folder';
import { runCommandLine } from './command-line';

/** Creates a data folder, and functions that run the command line on it. */
function operator(environment: Record<string, string> = {}) {
  const folder = tempFolder();
  const run = async (line: string, env: Record<string, string> = {}) => {
    let stdout = '';
    let stderr = '';
    const code = await runCommandLine(line.split(' ').filter(Boolean), {
      env: { TURNPIKE_DATA_DIR: join(folder, 'data'), ...environment, ...env },
      cwd: folder,
      out: (text) => (stdout += text),
      err: (text) => (stderr += text),
    });
    return { code, stdout, stderr };
  };
  const json = async (line: string): Promise<unknown> => {
    const { code, stdout, stderr } = await run(`${line} --json`);
    if (code !== 0 || stderr !== '') throw new Error(`exit ${code}: ${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  return { folder, run, json };
}

describe('the life of an account, by command', () => {
  it('with --json for scripts, while a gateway holds the folder', async () => {
    const { folder, json, run } = operator();
    const gateway = await openSqlite(join(folder, 'data'), { exclusive: true });
    const created = await json('accounts create --label Ann --tier paid --usd 1.5 --bundled 0.000000001');
    expect(created).toMatchObject({
      id: 1,
      label: 'Ann',
      tier: 'paid',
      usd: '1.500000000',
      bundledCredits: '0.000000001',
    });
    expect(created).not.toHaveProperty('apiKey');
    expect(await json('grants add --account 1 --usd 2 --note why')).toEqual({
      accountId: 1,
      pot: 'usd',
      amountUsd: '2.000000000',
      balanceUsd: '3.500000000',
    });
    const key = (await json(
      'keys create --account 1 --type ADMIN --description d --expires 2999-01-31 --limit-usd 5 --limit-period MONTH',
    )) as { id: number; apiKey: string };
    expect(key).toMatchObject({ id: 1, accountId: 1, type: 'ADMIN', apiKey: expect.stringMatching(/^tpk_/) });
    const live = {
      id: 1,
      accountId: 1,
      type: 'ADMIN',
      last6: key.apiKey.slice(-6),
      description: 'd',
      state: 'live',
      limits: '5.00 USD per MONTH',
      expiresAt: '2999-01-31T23:59:59.999Z',
      revokedAt: null,
    };
    const listed = await run('keys list --json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ keys: [live] });
    expect(listed.stdout).not.toContain(key.apiKey);
    expect(await json('keys revoke --id 1')).toEqual({ id: 1, revoked: true });
    expect(await json('keys list --account 1')).toMatchObject({ keys: [{ state: 'revoked' }] });
    expect(await json('accounts list')).toMatchObject({ accounts: [{ id: 1, usd: '3.500000000' }] });
    expect(await json('ledger check')).toEqual({ ok: true, accounts: 1, rows: 3, faults: [] });
    await gateway.close();
  });

  it('is refused on a data folder of a newer release, in the sentence that says so', async () => {
    const { folder, json, run } = operator();
    await json('accounts create --label Ann --tier paid');
    const store = await openSqlite(join(folder, 'data'), { exclusive: false });
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(store.db);
    await store.close();
    const { code, stdout, stderr } = await run('accounts list');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The database was last used by a newer release of Turnpike, whose migration 9999-later .*\n$/,
    );
  });

  describe('on a database of an earlier release', () => {
    async function older() {
      const folder = operator();
      await folder.json('accounts create --label Ann --tier paid');
      const gateway = await openSqlite(join(folder.folder, 'data'), { exclusive: true });
      await sql`delete from kysely_migration where name = '0018-charges-after-waits'`.execute(gateway.db);
      const migrations = () => {
        const file = new DatabaseSync(join(folder.folder, 'data', 'turnpike.db'), { readOnly: true });
        const rows = file.prepare('select name from kysely_migration').all();
        file.close();
        return rows.length;
      };
      return { ...folder, gateway, migrations, before: migrations() };
    }

    it('is refused while a gateway holds the folder, and migrates when it has stopped', async () => {
      const { gateway, migrations, before, json, run } = await older();
      const { code, stdout, stderr } = await run('accounts list');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^The database is from an earlier release, and a gateway uses .* Stop the gateway .*\n$/);
      expect(migrations()).toBe(before);
      await gateway.close();
      expect(await json('accounts list')).toMatchObject({ accounts: [{ id: 1 }] });
    });

    it('makes no backup and migrates nothing, and says which release can make one', async () => {
      const { folder, gateway, migrations, before, run } = await older();
      await gateway.close();
      const { code, stderr } = await run(`database backup --file ${join(folder, 'copy.db')}`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The database is from an earlier release.* Use that release .*\n$/);
      expect(existsSync(join(folder, 'copy.db'))).toBe(false);
      expect(migrations()).toBe(before);
    });
  });

  it('many at once, and shows the keys of those that were created before a failure', async () => {
    const { folder, run } = operator();
    const { db, close } = await openSqlite(join(folder, 'data'), { exclusive: false });
    await sql`create trigger full before insert on accounts when (select count(*) from accounts) >= 220
      begin select raise(abort, 'no room'); end`.execute(db);
    await close();
    const { code, stdout, stderr } = await run('accounts create --label load --count 250 --keys --json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Only 200 of 250 accounts were created: no room')]);
    const { accounts } = JSON.parse(stdout) as { accounts: { apiKey: string }[] };
    expect(new Set(accounts.map(({ apiKey }) => apiKey)).size).toBe(200);
  });

  it('many at once, each with a key that is shown this once', async () => {
    const { json } = operator();
    const { accounts } = (await json('accounts create --label load --tier staff --usd 5 --count 250 --keys')) as {
      accounts: { id: number; label: string; apiKey: string }[];
    };
    expect(accounts).toHaveLength(250);
    expect(new Set(accounts.map(({ apiKey }) => apiKey)).size).toBe(250);
    expect(accounts[249]).toMatchObject({ id: 250, label: 'load 250', tier: 'staff', usd: '5.000000000' });
    expect(await json('ledger check')).toMatchObject({ ok: true, accounts: 250, rows: 250 });
  });

  it('for people: tables, and a sentence where there is nothing', async () => {
    const { run } = operator();
    expect((await run('accounts list')).stdout).toMatch(/There are no accounts yet/);
    expect((await run('keys list')).stdout).toMatch(/There are no keys/);
    expect((await run('accounts create --label Bea --keys')).stdout).toMatch(
      /^ID +LABEL +TIER[\s\S]*1 +Bea +standard .*tpk_/,
    );
    expect((await run('ledger check')).stdout).toBe('0 ledger rows of 1 accounts: every balance agrees.\n');
  });

  it('a wallet without an account is said to have none, though others have', async () => {
    const { run, json } = operator();
    await json('accounts create --label other');
    const { stdout } = await run('accounts list --wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    expect(stdout).toBe('This wallet has no account.\n');
  });

  it('the account of a wallet is found under any case of its address', async () => {
    const { json } = operator();
    const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    await json('accounts create --label other');
    await json(`grants add --wallet ${wallet} --usd 2`);
    const listed = await json(`accounts list --wallet ${wallet.toLowerCase()}`);
    expect(listed).toMatchObject({ accounts: [{ label: wallet.toLowerCase(), usd: '2.000000000', tier: 'paid' }] });
    expect(await json('accounts list --wallet 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')).toEqual({ accounts: [] });
  });

  it('a fault in an old row that a whole check found is found by the next checks, until it is mended', async () => {
    const { folder, run, json } = operator();
    await json('accounts create --label x --usd 5');
    await json('grants add --account 1 --usd 2 --note why');
    expect(await json('ledger check')).toMatchObject({ ok: true, rows: 2 });
    const change = async (statement: string): Promise<void> => {
      const store = await openSqlite(join(folder, 'data'), { exclusive: false });
      await sql`drop trigger if exists ledger_refuses_update`.execute(store.db);
      await sql.raw(statement).execute(store.db);
      await store.close();
    };
    const found = async (line: string): Promise<boolean> => (await run(line)).code === 1;
    await change('update ledger_rows set balance_after = balance_after + 1 where id = 1');
    expect(await found('ledger check --full')).toBe(true);
    expect([await found('ledger check'), await found('ledger check')]).toEqual([true, true]);
    await change('update ledger_rows set balance_after = balance_after - 1 where id = 1');
    expect([await found('ledger check'), await found('ledger check')]).toEqual([false, false]);
    expect(await json('ledger check')).toMatchObject({ ok: true, rows: 0 });
    // Changes a balance and an old ledger row, so that the two agree.
    await change('update meters set usd = usd + 1');
    expect(await found('ledger check')).toBe(true);
    await change('update ledger_rows set balance_after = balance_after + 1, amount = amount + (id = 1)');
    expect([await found('ledger check'), await found('ledger check')]).toEqual([false, false]);
  });

  it('a fault in the books is exit code 1, and named', async () => {
    const { folder, run, json } = operator();
    await json('accounts create --label x --usd 5');
    const store = await openSqlite(join(folder, 'data'), { exclusive: false });
    await store.db.updateTable('meters').set({ usd: 1 }).execute();
    await store.close();
    const { code, stdout } = await run('ledger check --json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { ok: false, accounts: 1, rows: 1, faults: [expect.stringContaining('account 1, pot usd')] },
    ]);
  });
});

describeWithPostgres('the same on the Postgres of DATABASE_URL', (server) => {
  it('an account, its grants and keys, and the books; the data folder stays empty', async () => {
    const { folder, json, run } = operator({ DATABASE_URL: await server().createDatabase() });
    const { accounts } = (await json(
      'accounts create --label load --tier staff --usd 5 --bundled 1 --count 250 --keys',
    )) as { accounts: { id: number; apiKey: string }[] };
    expect(new Set(accounts.map(({ apiKey }) => apiKey)).size).toBe(250);
    const id = accounts[0]?.id;
    expect(id).toBeTypeOf('number');
    expect(await json(`grants add --account ${id} --usd 2 --note why`)).toEqual({
      accountId: id,
      pot: 'usd',
      amountUsd: '2.000000000',
      balanceUsd: '7.000000000',
    });
    const key = (await json(`keys create --account ${id} --limit-usd 5 --limit-period MONTH`)) as { id: number };
    expect(await json(`keys revoke --id ${key.id}`)).toEqual({ id: key.id, revoked: true });
    expect(await json(`keys list --account ${id}`)).toMatchObject({
      keys: [{ state: 'live' }, { state: 'revoked', limits: '5.00 USD per MONTH' }],
    });
    expect((await run(`keys revoke --id ${key.id}`)).stderr).toMatch(/no live key/);
    expect((await run(`grants add --account 900719925474099 --usd 1`)).stderr).toMatch(/There is no account/);
    expect(await json('ledger check')).toEqual({ ok: true, accounts: 250, rows: 501, faults: [] });
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('says in a sentence that it cannot be reached', async () => {
    const { run } = operator({ DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/turnpike' });
    const { code, stderr } = await run('accounts list');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The Postgres of DATABASE_URL cannot be used \(database turnpike at 127\.0\.0\.1:1\): .*ECONNREFUSED.*\n$/,
      ),
    ]);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('help', () => {
  it('lists every command, each of which has its own', async () => {
    const { run, folder } = operator();
    const overview = await run('--help');
    expect(overview.code).toBe(0);
    expect((await run('')).stdout).toBe(overview.stdout);
    const names = [
      'accounts create',
      'accounts list',
      'grants add',
      'keys create',
      'keys list',
      'keys revoke',
      'ledger check',
      'database mark',
      'database backup',
      'database restore',
      'config check',
    ];
    for (const name of names) expect(overview.stdout).toContain(`  ${name} `);
    for (const help of await Promise.all(names.map((name) => run(`${name} --help`)))) {
      expect(help.code).toBe(0);
      expect(help.stdout).toMatch(/^Usage: npm run admin -- \w+ \w+ (\[FILE\] )?\[OPTIONS\]\n[\s\S]*--json/);
    }
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

describe('a mistaken command is exit code 2, with a sentence, and does nothing', () => {
  it.each([
    ['accounts', /There is no command "accounts"/],
    ['accounts delete', /There is no command "accounts delete"/],
    ['accounts create', /--label is missing/],
    ['accounts create --label x --tier gold', /--tier must be one of standard, paid, staff/],
    ['accounts create --label x --usd 1e3', /--usd: Write an amount in USD in digits/],
    ['accounts create --label x --usd -5', /--usd must be a positive amount, not "-5"/],
    ['grants add --account 1 --bundled=-.5', /--bundled must be a positive amount/],
    ['accounts create --label x --count -5', /--count must be a whole number from 1/],
    ['accounts create --label x --usd --keys', /'--usd/],
    ['accounts list --data=', /--data is missing its path/],
    ['accounts list --config=', /--config is missing its path/],
    ['--data elsewhere', /There is no command ""/],
    ['accounts create --label x --usd 99999999', /--usd: An amount in USD must be at most/],
    ['accounts create --label x --count 0', /--count must be a whole number from 1/],
    ['accounts create --label x --count 100001', /--count must be a whole number/],
    ['accounts create --label x y', /Remove "y"/],
    ['accounts list --wallet 0x12', /--wallet must be an address/],
    ['accounts list --nonsense', /nonsense/],
    ['grants add --account 1', /one of --usd, --bundled and --x402/],
    ['grants add --account 1 --usd 1 --bundled 1', /one of --usd, --bundled and --x402/],
    ['grants add --usd 1', /either --account or --wallet/],
    ['grants add --account one --usd 1', /--account must be a whole number/],
    ['keys create --account 1', /There is no account 1/],
    ['keys revoke --id 1', /There is no live key 1/],
  ])('%s', async (line, sentence) => {
    const { run } = operator();
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['--type SUPER', /--type must be one of INFERENCE, ADMIN/],
    ['--expires 2020-01-01', /--expires is in the past/],
    ['--expires tomorrow', /--expires must be a date/],
    ['--expires 2999-02-30', /--expires must be a date/],
    ['--expires 12/31/2999', /--expires must be a date/],
    ['--expires 2999-01-01T00:00', /--expires must be a date/],
    ['--limit-usd x', /--limit-usd/],
    ['--limit-period WEEK', /--limit-period must be one of EPOCH, MONTH, LIFETIME/],
  ])('keys create %s', async (options, sentence) => {
    const { run, json } = operator();
    await json('accounts create --label x');
    const { code, stderr } = await run(`keys create --account 1 ${options}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(await json('keys list')).toEqual({ keys: [] });
  });

  it('and with --json the sentence is JSON too', async () => {
    const { run } = operator();
    for (const line of ['grants add --account 1 --json', 'no such --json']) {
      const { code, stdout, stderr } = await run(line);
      expect([code, stderr]).toEqual([2, '']);
      expect(JSON.parse(stdout)).toEqual({ ok: false, error: expect.any(String) });
    }
  });
});

describe('what cannot be done is exit code 1, with a sentence', () => {
  it('a grant to an account that is not there, or of nothing', async () => {
    const { run, json } = operator();
    expect(await run('grants add --account 7 --usd 1')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account 7.\n',
    });
    await json('accounts create --label x');
    expect(await run('grants add --account 1 --usd 0')).toMatchObject({
      code: 1,
      stderr: 'The amount must be positive.\n',
    });
  });

  it('a configuration that cannot be used', async () => {
    const { folder, run } = operator();
    writeFileSync(join(folder, 'turnpike.config.json'), '{"trustProxyHops": 99}');
    const { code, stderr } = await run('accounts list');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The configuration cannot be used:\n {2}trustProxyHops: /),
    ]);
  });

  it('a data folder that cannot be made', async () => {
    const { folder, run } = operator();
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await run('accounts list', { TURNPIKE_DATA_DIR: join(folder, 'file', 'data') });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^accounts list failed: /)]);
  });
});

describe('--data and --config, as npm start has them', () => {
  it('name the folder and the file, before or after the command, and win over the environment', async () => {
    const { folder, run, json } = operator();
    writeFileSync(join(folder, 'other.json'), '{"dataDir": "from-file"}');
    await json('--data elsewhere accounts create --label Ann');
    expect(existsSync(join(folder, 'elsewhere'))).toBe(true);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    expect(await json('accounts list --data elsewhere')).toMatchObject({ accounts: [{ label: 'Ann' }] });
    const checked = await run('config check -c other.json --json', {
      TURNPIKE_DATA_DIR: '',
      TURNPIKE_CONFIG: join(folder, 'missing.json'),
    });
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, dataDir: join(folder, 'from-file') });
  });

  it('start from the folder in which the command was typed, though npm runs in the repository', async () => {
    const { folder, run } = operator();
    const { stdout } = await run('config check --data mine --json', { INIT_CWD: join(folder, 'typed-in') });
    expect(JSON.parse(stdout)).toMatchObject({ dataDir: join(folder, 'typed-in', 'mine') });
  });

  it('are in the help of every command', async () => {
    const { run } = operator();
    for (const line of ['--help', 'keys list --help'])
      expect((await run(line)).stdout).toMatch(/--data DIR[\s\S]*-c, --config FILE/);
  });
});

describe('config check', () => {
  it('with --json names every fault of a bad configuration in one document', async () => {
    const { folder, run } = operator();
    writeFileSync(join(folder, 'turnpike.config.json'), '{"trustProxyHops": 99, "nonsense": 1}');
    const { code, stdout, stderr } = await run('config check --json');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      faults: [expect.stringMatching(/^trustProxyHops: /), expect.any(String)],
    });
  });

  it('says that stand-ins serve Solana too', async () => {
    const { run } = operator();
    expect((await run('config check')).stdout).toContain('stand-ins serve the other EVM and Solana networks');
  });

  it('says what the configuration comes to, without secrets and without a data folder', async () => {
    const { folder, run } = operator();
    const env = {
      TURNPIKE_PROFILE: 'live',
      TURNPIKE_SECRET: 'k3y'.repeat(20),
      RPC_BASE_MAINNET: 'https://k3y.example,https://b',
    };
    const { code, stdout } = await run('config check --json', env);
    expect(code).toBe(0);
    expect(stdout).not.toContain('k3y');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      profile: 'live',
      upstreams: { 'base-mainnet': 2, 'base-sepolia': 0 },
    });
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('checks the file that is named after it, and tells what is doubtful', async () => {
    const { folder, run } = operator();
    writeFileSync(join(folder, 'turnpike.config.json'), '{"nonsense": 1}');
    writeFileSync(join(folder, 'other.json'), '{"networks": {"celo-mainnet": {"chainId": 42220}}}');
    const { code, stdout } = await run('config check other.json --json');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({
        ok: true,
        file: join(folder, 'other.json'),
        warnings: [expect.stringContaining('networks.celo-mainnet: has no upstream')],
      }),
    ]);
    expect((await run('config check other.json --config other.json')).code).toBe(2);
    expect((await run('config check other.json one-more')).code).toBe(2);
    expect((await run('config check not-there.json')).code).toBe(1);
    expect((await run('config explain other.json --given')).stdout).toMatch(
      /networks\.celo-mainnet\.chainId +42220 +file: other\.json/,
    );
  });

  it('the doctor ends with 0 where there is no fault, and with 1 where there is one', async () => {
    const { folder, run } = operator();
    expect((await run('doctor')).code).toBe(0);
    writeFileSync(
      join(folder, 'turnpike.config.json'),
      '{"networks": {"base-mainnet": {"upstreams": ["http://127.0.0.1:1"]}}}',
    );
    const { code, stdout } = await run('doctor --json --timeout-ms 500');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      faults: 1,
      findings: expect.arrayContaining([
        expect.objectContaining({
          subject: 'networks.base-mainnet.upstreams[0]',
          verdict: 'fault',
          remedy: expect.any(String),
        }),
      ]),
    });
    expect((await run('doctor --timeout-ms never')).code).toBe(2);
  });

  it('needs the secret that a live gateway needs', async () => {
    const { run } = operator();
    expect(await run('config check', { TURNPIKE_PROFILE: 'live' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/TURNPIKE_SECRET/),
    });
  });
});

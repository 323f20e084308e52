import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { BundledProgram } from '@/test/bundled-program';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';

/**
 * Program of a process with its own meter, whose clock is wrong by an hour. Makes `calls` calls, `parallel` at a time,
 * and prints a line for each call that may be answered.
 */
const CALLER = `
import { Secret } from '@/lib/server/config/secret';
import { PostgresMeter } from '@/lib/server/billing/postgres/postgres-meter';
const { url, name, account, calls, parallel, cost, cap, key, leaseMs } = JSON.parse(process.argv[2]);
const now = Date.now;
Date.now = () => now() + (name === 'one' ? -3_600_000 : 3_600_000);
const none = { standard: null, paid: null, staff: null };
const meter = new PostgresMeter(new Secret(url), { limits: { requestsPerMinute: { ...none, paid: cap }, creditsPerDay: none }, leaseMs });
let next = 0;
async function call() {
  const requestId = name + next++;
  const caller = { accountId: account, apiKeyId: null, purse: 'account' };
  const idempotency = key === null ? null : { key, fingerprint: 'f' };
  const admission = await meter.reserve({ caller, keyHash: null, maxNanoUsd: cost, maxCredits: 20, idempotency, now: Date.now() });
  if (admission.outcome === 'admitted') {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    await meter.settle(admission.reservation, { amountNanoUsd: cost, credits: 20, resource: 'r', detail: '', requestId, replayBody: Buffer.from(requestId) });
    console.log('charged', requestId);
  } else if (admission.outcome === 'replayed') console.log('replayed', Buffer.from(admission.body).toString());
  else console.log('refused', admission.refusal.reason);
}
console.log('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
await Promise.all(Array.from({ length: parallel }, async () => {
  while (next < calls) await call();
}));
await meter.close();
process.exit(0);
`;

interface Plan {
  account: number;
  calls: number;
  parallel: number;
  cost: number;
  cap?: number | null;
  key?: string | null;
  leaseMs?: number;
}

describeWithPostgres('processes on one Postgres', (server) => {
  let program: BundledProgram;
  beforeAll(async () => {
    program = await BundledProgram.make({ text: CALLER });
  });
  afterAll(() => program.remove());

  async function start(books: PostgresBooks, name: string, plan: Plan) {
    const child: ChildProcess = program.start([
      JSON.stringify({ url: books.url, name, cap: null, key: null, leaseMs: 60_000, ...plan }),
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    const ended = once(child, 'close');
    child.stderr?.on('data', (chunk: Buffer) => lines.push(`error ${chunk.toString()}`));
    await new Promise<void>((resolve) => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
        line === 'ready' ? resolve() : lines.push(line),
      );
    });
    return { child, lines, ended, go: () => child.stdin?.write('go\n') };
  }

  async function both(books: PostgresBooks, plan: Plan): Promise<string[]> {
    const processes = await Promise.all(['one', 'two'].map((name) => start(books, name, plan)));
    for (const { go } of processes) go();
    await Promise.all(processes.map(({ ended }) => ended));
    return processes.flatMap(({ lines }) => lines);
  }

  const count = (lines: readonly string[], start: string) => lines.filter((line) => line.startsWith(start)).length;

  it('100 requests a minute hold to exactly 100, though their clocks differ by two hours', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 10_000 });
    const lines = await both(books, { account, calls: 150, parallel: 16, cost: 1, cap: 100 });
    expect([count(lines, 'charged'), count(lines, 'refused minute-cap'), lines.length]).toEqual([100, 200, 300]);
    expect(await books.balances(account)).toMatchObject({ usd: 9_900 });
    expect(await books.faults()).toEqual([]);
  });

  it('one idempotency key runs once: the others collide or are answered with its answer', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 10_000 });
    const lines = await both(books, { account, calls: 50, parallel: 8, cost: 10, key: 'k' });
    const [charged] = lines.filter((line) => line.startsWith('charged'));
    const answer = charged?.split(' ')[1] ?? '';
    expect(count(lines, 'charged')).toBe(1);
    expect(count(lines, `replayed ${answer}`)).toBeGreaterThan(0);
    expect(count(lines, 'charged') + count(lines, `replayed ${answer}`) + count(lines, 'refused collision')).toBe(100);
    expect(await books.balances(account)).toMatchObject({ usd: 9_990 });
  });

  it('64 calls at once with money for 10 are 10 charged and 54 refused', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ bundled: 35, usd: 65 });
    const lines = await both(books, { account, calls: 32, parallel: 32, cost: 10 });
    expect([count(lines, 'charged'), count(lines, 'refused balance'), lines.length]).toEqual([10, 54, 64]);
    expect(await books.balances(account)).toMatchObject({ bundled: 0, usd: 0 });
    expect(await books.faults()).toEqual([]);
  });

  it('kill -9 of one in the middle: all that was answered is charged, what it held comes back, the other goes on', async () => {
    const books = await PostgresBooks.open(server(), { clock: undefined, leaseMs: 1_000 });
    const account = await books.account({ usd: 1_000_000 });
    const plan = { account, calls: 600, parallel: 16, cost: 10, leaseMs: 1_000 };
    const [victim, survivor] = await Promise.all([start(books, 'one', plan), start(books, 'two', plan)]);
    victim.go();
    survivor.go();
    while (victim.lines.length < 60) await new Promise((resolve) => setTimeout(resolve, 2));
    victim.child.kill('SIGKILL');
    await Promise.all([victim.ended, survivor.ended]);
    expect(count(survivor.lines, 'charged')).toBe(600);
    const rows = await books.store.db.selectFrom('ledger').select('request_id').where('kind', '=', 'CHARGE').execute();
    const charged = new Set(rows.map(({ request_id: id }) => id));
    const answered = [...victim.lines, ...survivor.lines].map((line) => line.split(' ')[1] ?? '');
    expect(answered.filter((id) => !charged.has(id))).toEqual([]);
    expect(charged.size).toBe(rows.length);
    // Only calls whose charge was being written at the crash are charged without an answer. There are at most as many
    // as ran in parallel.
    expect(rows.length - answered.length).toBeLessThanOrEqual(16);

    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await books.spendable(account)).toBe(1_000_000 - rows.length * 10);
    await books.meter.expireLeases();
    expect(await books.reservations()).toBe(0);
    const { rows: held } = await sql`select held_usd, held_credits from meters`.execute(books.store.db);
    expect(held).toEqual([{ held_usd: 0, held_credits: 0 }]);
    expect(await books.faults()).toEqual([]);
  });
});

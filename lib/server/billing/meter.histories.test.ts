import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Difference } from '@/test/books-difference';
import { type History, printHistory, randomHistory, shrink, type Step } from '@/test/books-history';
import { BROKEN, type OpenStage, playHistory, type Stage } from '@/test/play-history';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { SqliteBooks } from '@/test/sqlite-books';
import type { TestPostgres } from '@/test/test-postgres';
import { idempotencySchema } from '../config/idempotency';

/** `HISTORY_SEEDS=1000:200` plays 200 histories from seed 1000 on, for longer searches than a normal run. */
const [FIRST_SEED = 1, SEEDS = null] = (process.env.HISTORY_SEEDS ?? '').split(':').filter(Boolean).map(Number);
/** Histories per run. Those on Postgres take ten times as long. */
const ON_SQLITE = SEEDS ?? 40;
const ON_POSTGRES = SEEDS ?? 15;
const STEPS = 100;
const SHRINK_TRIES_MAX = 250;
const TIMEOUT_MS = 600_000;

/** Every cached value is too old to be used, but still shows how far a caller is from its limits. */
const NO_COPIES_MS = 1e-9;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens one gateway, which has the reservations in memory. */
const openOnSqlite: OpenStage = async (limits, callerKeysMax): Promise<Stage> => {
  let books = await SqliteBooks.open(limits, { keeping: { ...idempotencySchema.parse({}), callerKeysMax } });
  await books.breakCharges(BROKEN);
  return {
    life: 'of the process',
    known: { repeatsUnits: false },
    gateway: () => books,
    crash: async () => {
      books = await books.crash(limits);
      return [0, 1];
    },
    sweep: async () => undefined,
    close: () => books.store.close(),
  };
};

/** Opens two gateways on one database, which all histories share. */
function openOnPostgres(server: () => TestPostgres): OpenStage {
  let url: Promise<string> | null = null;
  return async (limits, callerKeysMax, leaseMs) => {
    const settings = {
      limits,
      keeping: { ...idempotencySchema.parse({}), callerKeysMax },
      leaseMs,
      copyMs: NO_COPIES_MS,
    };
    url ??= server()
      .createMigratedDatabase()
      .then(async (made) => {
        await (await PostgresBooks.on(made)).breakCharges(BROKEN);
        return made;
      });
    const at = await url;
    const opened = [await PostgresBooks.on(at, settings), await PostgresBooks.on(at, settings)];
    const gateways = [...opened] as [PostgresBooks, PostgresBooks];
    return {
      life: { leaseMs },
      known: { repeatsUnits: true },
      gateway: (number) => gateways[number] as PostgresBooks,
      crash: async (number) => {
        gateways[number] = await PostgresBooks.on(at, settings);
        opened.push(gateways[number] as PostgresBooks);
        return [number];
      },
      sweep: () => gateways[0].meter.expireLeases(),
      close: async () => {
        for (const { meter, store } of opened) {
          await meter.close();
          await store.close();
        }
      },
    };
  };
}

const DAY_MS = 86_400_000;
const ALONE = {
  limits: { requests: 1, credits: null, idempotencyKeys: 4 },
  leaseMs: 60_000,
  accounts: [{ tier: 'paid', bundled: 30, usd: 100, x402: 0, diem: 10 }],
  keys: [],
  isExact: true,
} satisfies Omit<History, 'steps'>;
const chat = (call: number, idempotency: { key: string; fingerprint: string } | null = null): Step => ({
  do: 'reserve',
  call,
  gateway: 0,
  account: 0,
  key: null,
  purse: 'account',
  max: 50,
  credits: 0,
  uncapped: true,
  idempotency,
});
const request = (call: number): Step => ({
  ...(chat(call) as Extract<Step, { do: 'reserve' }>),
  max: 10,
  credits: 20,
  uncapped: false,
});

const EXAMPLES: Readonly<Record<string, readonly Step[]>> = {
  'what was noted of a lease that ended is not there to be spent': [
    chat(0),
    { do: 'note', call: 0, part: 0.5 },
    { do: 'wait', ms: 60_000 },
  ],
  'what was noted of a call whose charge failed is not charged by the next process': [
    chat(0),
    { do: 'note', call: 0, part: 0.5 },
    { do: 'fail', call: 0 },
    { do: 'crash', gateway: 0, settling: [] },
  ],
  'an answer that is repeated beside the RPC proxy does not count toward its minute': [
    chat(0, { key: 'k', fingerprint: 'f' }),
    { do: 'settle', call: 0, part: 1, answer: 'small' },
    chat(1, { key: 'k', fingerprint: 'f' }),
    request(2),
  ],
  'an allocation that another has fixed ends leases all the same': [
    { do: 'wait', ms: 30 * DAY_MS },
    { do: 'allocate', account: 0, amount: 10, gateway: 0 },
    { do: 'wait', ms: -30 * DAY_MS },
    chat(0),
    { do: 'wait', ms: 60_000 },
    { do: 'allocate', account: 0, amount: 10, gateway: 0 },
  ],
  'a clock that steps back by less than a minute begins no new one': [
    request(0),
    { do: 'wait', ms: -30_000 },
    request(1),
  ],
};

/** Plays a history. If it fails, shrinks and reports it. */
async function check(history: History, open: OpenStage, seed: number): Promise<void> {
  const differs = (candidate: History): Promise<Difference | null> =>
    playHistory(candidate, open).then(
      () => null,
      (error: Difference) => error,
    );
  const first = await differs(history);
  if (first === null) return;
  const short = await shrink(
    first.history ?? history,
    async (candidate) => (await differs(candidate)) !== null,
    SHRINK_TRIES_MAX,
  );
  const difference = await differs(short);
  expect.fail(
    `The store and the model differ (seed ${seed}). The shortest history found:\n${printHistory(short)}\n${difference?.message ?? `It does not differ any more. At first: ${first.message}`}\n${(difference?.cause as Error | undefined)?.stack ?? ''}`,
  );
}

/**
 * Guards that a meter follows the rules of money, in any order of concurrent calls, failed charges, expired leases,
 * killed gateways, midnights, wrong clocks and payments.
 */
const agrees = (open: OpenStage) => async (seed: number) => check(randomHistory(seed, STEPS), open, seed);
const examples = Object.entries(EXAMPLES);
const seeds = (count: number): number[] => Array.from({ length: count }, (_none, index) => FIRST_SEED + index);

describe('random histories, on SQLite', () => {
  it.each(examples)('%s', (_name, steps) => check({ ...ALONE, steps: [...steps] }, openOnSqlite, 0));

  it.each(seeds(ON_SQLITE))(
    'agree with the rules in every outcome and on the books (seed %i)',
    { timeout: TIMEOUT_MS },
    agrees(openOnSqlite),
  );
});

describeWithPostgres('random histories, on Postgres', (server) => {
  const open = openOnPostgres(server);
  it.each(examples)('%s', (_name, steps) => check({ ...ALONE, steps: [...steps] }, open, 0));

  it.each(seeds(ON_POSTGRES))(
    'agree with the rules in every outcome and on the books (seed %i)',
    { timeout: TIMEOUT_MS },
    agrees(open),
  );
});

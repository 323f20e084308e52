import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import type { Purse } from '@/lib/server/auth/caller';
import { type LimitPeriod, LIMIT_PERIODS, type Tier, TIERS } from '@/lib/server/db/schema';

/** Call that requests admission. */
interface Reserve {
  do: 'reserve';
  /**
   * Number by which later steps name the call. If the named call is not running, a step uses the latest running call,
   * unless the history is exact.
   */
  call: number;
  gateway: number;
  account: number;
  /** Null for a call without a key. */
  key: number | null;
  purse: Purse;
  max: number;
  credits: number;
  uncapped: boolean;
  idempotency: { key: string; fingerprint: string } | null;
}

/** Call that is reserved and fully charged in one step. On Postgres, the meter may defer the reservation. */
type ChargeAtOnce = Omit<Reserve, 'do' | 'uncapped' | 'idempotency'> & { do: 'charge' };

type Settle = { do: 'settle'; call: number; part: number; answer: 'small' | 'too-large' | null };
type Release = { do: 'release'; call: number };

/** Step that may run in parallel with other calls. */
export type CallStep = Reserve | ChargeAtOnce | Settle | Release;

export type Step =
  | CallStep
  | { do: 'together'; steps: CallStep[] }
  /** The store fails to write the charge of this call. */
  | { do: 'fail'; call: number }
  | { do: 'note'; call: number; part: number }
  | { do: 'credit'; account: number; pot: 'bundled' | 'usd' | 'x402'; kind: 'GRANT' | 'TOP_UP'; amount: number }
  | { do: 'allocate'; account: number; amount: number; gateway: number }
  | { do: 'revoke'; key: number }
  | { do: 'tier'; account: number; tier: Tier }
  | { do: 'wait'; ms: number }
  | { do: 'wait until'; what: 'midnight' | 'the last millisecond of the day' | 'the next month' }
  /** A gateway dies while it charges these calls. */
  | { do: 'crash'; gateway: number; settling: number[] }
  | { do: 'sweep' }
  | { do: 'forget' };

/** Everything that happens to some callers, as plain data. Removing steps leaves a valid history. */
export interface History {
  limits: { requests: number | null; credits: number | null; idempotencyKeys: number };
  leaseMs: number;
  accounts: { tier: Tier; bundled: number; usd: number; x402: number; diem: number }[];
  keys: {
    account: number;
    limitPeriod: LimitPeriod;
    limitUsdNano: number | null;
    limitDiemNano: number | null;
    limitPrepaidNano: number | null;
    expiresInMs: number | null;
  }[];
  steps: Step[];
  /** True if each step uses only the call that it names. */
  isExact: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GATEWAYS = 2;
/** Changes of the clock: mostly small steps forward and small steps back. Errors of several days are rare. */
const SHORT_WAITS_MS = [1, 999, 5_000, 30_000, 59_999, MINUTE_MS, -1, -20_000, -59_999];
const LONG_WAITS_MS = [
  7 * MINUTE_MS,
  45 * MINUTE_MS,
  6 * 60 * MINUTE_MS,
  DAY_MS - MINUTE_MS,
  DAY_MS,
  DAY_MS + MINUTE_MS,
];

/** Generates a random history. Equal seeds give equal histories. */
export function randomHistory(seed: number, length: number): History {
  const random = new SeededRandom(seed);
  // Rich callers are far from all limits, where Postgres charges without a reservation. All other callers are near
  // their limits.
  const isRich = random.chance(0.3);
  const limits = {
    requests: random.chance(0.3) ? null : isRich ? 60 : random.integer(2, 8),
    credits: random.chance(0.3) ? null : isRich ? 20_000 : random.integer(150, 600),
    idempotencyKeys: random.integer(1, 4),
  };
  const amount = (max: number): number => (isRich ? 100_000 : random.integer(0, max));
  const accounts = Array.from({ length: 3 }, () => ({
    tier: random.pick(TIERS),
    bundled: amount(120),
    usd: amount(200),
    x402: amount(150),
    diem: random.chance(0.6) ? random.integer(1, 80) : 0,
  }));
  const limit = (): number | null => (random.chance(0.5) ? null : random.integer(20, 150));
  const keys = accounts.flatMap((_account, account) =>
    [0, 1].map(() => ({
      account,
      limitPeriod: random.pick(LIMIT_PERIODS),
      limitUsdNano: limit(),
      limitDiemNano: limit(),
      limitPrepaidNano: random.chance(0.5) ? null : random.integer(0, 150),
      expiresInMs: random.chance(0.15) ? random.integer(1, 2 * DAY_MS) : null,
    })),
  );
  const steps: Step[] = [];
  const maker = new StepMaker(
    random,
    keys.map(({ account }) => account),
  );
  while (steps.length < length) steps.push(maker.step());
  return {
    limits,
    leaseMs: random.pick([MINUTE_MS, 10 * MINUTE_MS, 2 * DAY_MS]),
    accounts,
    keys,
    steps,
    isExact: false,
  };
}

class StepMaker {
  #calls = 0;
  #wrongByDays = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly accountOfKey: readonly number[],
  ) {}

  step(): Step {
    const { random } = this;
    const choice = random.next();
    if (choice < 0.6) return this.#callStep();
    if (choice < 0.7)
      return { do: 'together', steps: Array.from({ length: random.integer(2, 7) }, () => this.#callStep()) };
    if (choice < 0.72) return { do: 'fail', call: this.#call() };
    if (choice < 0.77) return { do: 'note', call: this.#call(), part: random.next() };
    if (choice < 0.82) return this.#credit();
    if (choice < 0.88)
      return { do: 'allocate', account: this.#account(), amount: random.integer(1, 80), gateway: this.#gateway() };
    if (choice < 0.884) return { do: 'revoke', key: random.integer(0, this.accountOfKey.length - 1) };
    if (choice < 0.89) return { do: 'tier', account: this.#account(), tier: random.pick(TIERS) };
    if (choice < 0.93) return { do: 'wait', ms: random.pick(SHORT_WAITS_MS) };
    if (choice < 0.95) return { do: 'wait', ms: random.pick(LONG_WAITS_MS) };
    if (choice < 0.965)
      return {
        do: 'wait until',
        what: random.pick(['midnight', 'midnight', 'the last millisecond of the day', 'the next month']),
      };
    if (choice < 0.97) return this.#wrongClock();
    if (choice < 0.985)
      return {
        do: 'crash',
        gateway: this.#gateway(),
        settling: random.chance(0.5) ? [this.#call(), this.#call()] : [],
      };
    return { do: random.pick(['sweep', 'forget']) };
  }

  #callStep(): CallStep {
    const { random } = this;
    const choice = random.next();
    if (choice < 0.45) return this.#reserve();
    if (choice < 0.6) {
      const { call, gateway, account, key, purse, max, credits } = this.#reserve();
      return { do: 'charge', call, gateway, account, key, purse, max, credits };
    }
    if (choice < 0.88)
      return {
        do: 'settle',
        call: this.#call(),
        part: random.pick([0, 1, random.next(), random.next()]),
        answer: random.pick(['small', 'small', 'small', 'too-large', null]),
      };
    return { do: 'release', call: this.#call() };
  }

  #reserve(): Reserve {
    const { random } = this;
    const key = random.chance(0.6) ? random.integer(0, this.accountOfKey.length - 1) : null;
    const account = key === null ? this.#account() : (this.accountOfKey[key] as number);
    const uncapped = random.chance(0.25);
    const idempotency = random.chance(0.35)
      ? { key: `k${random.integer(0, 4)}`, fingerprint: random.chance(0.85) ? 'f' : 'g' }
      : null;
    // Picks either purse for a call with a key, because the key's purse may have changed since the key was read.
    const purse = key === null ? random.pick(['account', 'x402'] as const) : random.pick(['account', 'all'] as const);
    return {
      do: 'reserve',
      call: this.#calls++,
      gateway: this.#gateway(),
      account,
      key,
      purse,
      max: random.integer(1, 60),
      credits: uncapped ? 0 : random.integer(1, 80),
      uncapped,
      idempotency,
    };
  }

  #credit(): Step {
    const { random } = this;
    const [pot, kind] = random.pick([
      ['bundled', 'GRANT'],
      ['usd', 'GRANT'],
      ['x402', 'GRANT'],
      ['x402', 'TOP_UP'],
    ] as const);
    return { do: 'credit', account: this.#account(), pot, kind, amount: random.integer(1, 90) };
  }

  #wrongClock(): Step {
    this.#wrongByDays = this.#wrongByDays === 0 ? 30 : 0;
    return { do: 'wait', ms: (this.#wrongByDays || -30) * DAY_MS };
  }

  /** Returns one of the latest calls. Most of these calls are still running. */
  #call(): number {
    return Math.max(0, this.#calls - 1 - this.random.integer(0, 9));
  }

  #account(): number {
    return this.random.integer(0, 2);
  }

  #gateway(): number {
    return this.random.integer(0, GATEWAYS - 1);
  }
}

/**
 * Returns a shorter history that still fails. Removes steps, and then parallel calls, as long as the history still
 * fails.
 * @param fails plays a history; called at most `triesMax` times
 */
export async function shrink(
  history: History,
  fails: (history: History) => Promise<boolean>,
  triesMax: number,
): Promise<History> {
  let shortest = history;
  let triesLeft = triesMax;
  const take = async (candidate: History): Promise<boolean> => {
    if (triesLeft-- <= 0 || !(await fails(candidate))) return false;
    shortest = candidate;
    return true;
  };
  for (let size = Math.ceil(history.steps.length / 2); size >= 1 && triesLeft > 0;) {
    const isShorter = await takeWithout(size);
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  while (await takeThinner());
  return shortest;

  /**
   * Removes `size` consecutive steps wherever the history then still fails. Begins at the end, because the failure is
   * there.
   */
  async function takeWithout(size: number): Promise<boolean> {
    let isShorter = false;
    for (let end = shortest.steps.length; end > 0; end -= size) {
      const { steps } = shortest;
      if (await take({ ...shortest, steps: [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)] }))
        isShorter = true;
    }
    return isShorter;
  }

  async function takeThinner(): Promise<boolean> {
    for (const candidate of thinner(shortest)) if (await take(candidate)) return true;
    return false;
  }
}

/** Returns variants of the history with fewer parallel calls. */
function* thinner(history: History): Generator<History> {
  for (const [at, step] of history.steps.entries()) {
    if (step.do !== 'together') continue;
    const put = (replacement: Step[]): History => ({
      ...history,
      steps: [...history.steps.slice(0, at), ...replacement, ...history.steps.slice(at + 1)],
    });
    yield put(step.steps);
    for (const index of step.steps.keys())
      yield put([{ do: 'together', steps: step.steps.filter((_each, other) => other !== index) }]);
  }
}

/** Formats a history as text that a test can replay. */
export function printHistory({ steps, ...setting }: History): string {
  return [JSON.stringify(setting), ...steps.map((step) => JSON.stringify(step))].join('\n');
}

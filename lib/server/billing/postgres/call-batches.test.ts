import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { CallBatches } from './call-batches';
import { type CallOutcome, type CallRow, type MeterCall, StatementFailed } from './meter-statements';

interface Sent {
  calls: string[];
  waitMs: number | null | 'charges' | `charges, ${number}`;
  /** A null outcome means a skipped charge. */
  answer(outcomes?: CallOutcome['outcome'] | (CallOutcome['outcome'] | null)[]): Promise<void>;
  fail(kind: StatementFailed['kind']): Promise<void>;
}

/** Creates batches whose statements the test answers. */
function setUp(options?: ConstructorParameters<typeof CallBatches>[2]) {
  const sent: Sent[] = [];
  const away: string[] = [];
  const runAs = (waitMs: Sent['waitMs'], calls: readonly MeterCall[]) =>
    new Promise<CallOutcome[]>((resolve, reject) => {
      const settle = async (work: () => void) => {
        work();
        await turn();
        await turn();
      };
      const outcomeOf = (outcome: CallOutcome['outcome'] | null | undefined) =>
        (outcome === null ? null : { outcome }) as CallOutcome;
      sent.push({
        calls: calls.map(({ row }) => `${row.kind} ${row.account_id}`),
        waitMs,
        answer: (outcomes = 'admitted') =>
          settle(() =>
            resolve(calls.map((_call, index) => outcomeOf(Array.isArray(outcomes) ? outcomes[index] : outcomes))),
          ),
        fail: (kind) => settle(() => reject(new StatementFailed(kind, new Error(kind)))),
      });
    });
  const statements = {
    meter: { run: (calls: readonly MeterCall[], waitMs: number | null) => runAs(waitMs, calls) },
    charges: {
      run: (calls: readonly MeterCall[], waitMs: number | null = null) =>
        runAs(waitMs === null ? 'charges' : `charges, ${waitMs}`, calls),
    },
  };
  const batches = new CallBatches(statements, ({ message }) => void away.push(message), options);
  const ask = (
    kind: CallRow['kind'],
    account: number,
    body: Uint8Array | null = null,
    more: Partial<CallRow> = {},
  ): Promise<CallOutcome> =>
    new Promise((resolve, reject) => {
      const row = { kind, account_id: account, reservation: '', at: null, ...more };
      batches.add({ row, body, askedAt: performance.now(), attempts: 0, mayHaveRun: false, resolve, reject });
    });
  const at = (index: number): Sent => {
    const statement = sent[index];
    if (!statement) throw new Error(`Only ${sent.length} statements were sent.`);
    return statement;
  };
  return { batches, ask, sent, at, away };
}

/** Waits until the next statement after a failed one is sent. On a busy machine, its timer is late. */
const repeated = (at: (index: number) => Sent, index: number): Promise<Sent> =>
  vi.waitFor(() => at(index), { timeout: 10_000, interval: 5 });

describe('calls share a statement', () => {
  it('when they arrive in one turn, or while another is under way', async () => {
    const { ask, sent, at } = setUp();
    const first = [ask('reserve', 1), ask('settle', 2)];
    await turn();
    const later = [ask('reserve', 3), ask('reserve', 4)];
    await turn();
    expect(sent.map(({ calls }) => calls)).toEqual([['reserve 1', 'settle 2']]);
    await at(0).answer();
    expect(at(1).calls).toEqual(['reserve 3', 'reserve 4']);
    await at(1).answer();
    expect((await Promise.all([...first, ...later])).map(({ outcome }) => outcome)).toEqual([
      'admitted',
      'admitted',
      'admitted',
      'admitted',
    ]);
  });

  it('or shortly after one, of those whose calls it answered', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, sent, at } = setUp();
    for (let account = 0; account < 8; account++) void ask('reserve', account);
    await turn();
    await at(0).answer();
    for (let account = 0; account < 7; account++) void ask('settle', account);
    await turn();
    expect(sent).toHaveLength(1);
    void ask('settle', 7);
    await turn();
    expect(at(1).calls).toHaveLength(8);
    await at(1).answer('settled');
    void ask('reserve', 1);
    void ask('reserve', 2);
    await turn();
    expect(sent).toHaveLength(2);
    vi.advanceTimersByTime(5);
    expect(at(2).calls).toEqual(['reserve 1', 'reserve 2']);
  });

  it('up to a number of calls, and of bytes', async () => {
    const { ask, at } = setUp({ callsMax: 3 });
    for (let account = 0; account < 5; account++) void ask('reserve', account);
    await turn();
    expect(at(0).calls).toHaveLength(3);
    await at(0).answer();
    expect(at(1).calls).toHaveLength(2);
    const { ask: askLarge, at: atLarge } = setUp();
    for (let account = 0; account < 3; account++) void askLarge('settle', account, new Uint8Array(6 * 1024 * 1024));
    await turn();
    expect(atLarge(0).calls).toEqual(['settle 0']);
  });

  it('but those of one caller are never in two at once, and keep their order', async () => {
    const { ask, sent, at } = setUp({ concurrency: 2, callsMax: 2 });
    void ask('reserve', 1);
    void ask('reserve', 2);
    void ask('settle', 1);
    void ask('release', 1);
    void ask('reserve', 3);
    await turn();
    expect(sent.map(({ calls }) => calls)).toEqual([['reserve 1', 'reserve 2'], ['reserve 3']]);
    await at(0).answer();
    expect(at(2).calls).toEqual(['settle 1', 'release 1']);
  });
});

describe('a caller whose meter another gateway holds', () => {
  it('is waited for alone, charges before admissions, while the others go on', async () => {
    const { ask, sent, at } = setUp();
    const outcomes = [ask('reserve', 1), ask('settle', 1), ask('reserve', 2)];
    await turn();
    await at(0).answer(['contended', 'contended', 'admitted']);
    expect((await outcomes[2])?.outcome).toBe('admitted');
    expect([at(1).calls, at(1).waitMs]).toEqual([['settle 1'], 5_000]);
    const another = ask('reserve', 3);
    const same = ask('reserve', 1);
    await turn();
    expect(at(2).calls).toEqual(['reserve 3']);
    await at(2).answer();
    await another;
    await at(1).answer('settled');
    expect(at(3).calls).toEqual(['reserve 1']);
    expect(at(3).waitMs).toBeGreaterThan(1_000);
    expect(at(3).waitMs).toBeLessThanOrEqual(2_000);
    await at(3).fail('lock');
    expect(await outcomes[0]).toEqual({ outcome: 'refused', refusal: { reason: 'collision', kind: 'admission-lock' } });
    expect(at(4).calls).toEqual(['reserve 1']);
    await at(4).answer();
    await same;
    expect(sent).toHaveLength(5);
  });
});

describe('a caller whose meter another gateway held a moment ago', () => {
  const afterContention = async (contentionMs: number) => {
    const { ask, sent, at } = setUp({ contentionMs });
    const first = ask('charge', 1);
    await turn();
    await at(0).answer('contended');
    await at(1).answer('settled');
    await first;
    return { ask, at, since: () => sent.slice(2).map(({ waitMs, calls }) => [waitMs, ...calls]) };
  };

  it('waits at once with its plain charges, beside the charges of others', async () => {
    const { ask, at, since } = await afterContention(60_000);
    const outcomes = [ask('charge', 1), ask('charge', 2), ask('charge', 1)];
    await turn();
    expect(since()).toEqual([
      ['charges, 5000', 'charge 1', 'charge 1'],
      ['charges', 'charge 2'],
    ]);
    const later = ask('charge', 1);
    await at(3).answer('settled');
    expect(since()).toHaveLength(2);
    await at(2).answer('settled');
    expect(since().at(-1)).toEqual(['charges, 5000', 'charge 1']);
    await at(4).answer('settled');
    expect((await Promise.all([...outcomes, later])).map(({ outcome }) => outcome)).toEqual(
      Array<string>(4).fill('settled'),
    );
  });

  it('tries without a wait again once that is long ago, and with other calls', async () => {
    const longAgo = await afterContention(0);
    void longAgo.ask('charge', 1);
    await turn();
    expect(longAgo.since()).toEqual([['charges', 'charge 1']]);
    const recent = await afterContention(60_000);
    void recent.ask('charge', 1);
    void recent.ask('reserve', 1);
    await turn();
    expect(recent.since()).toEqual([[null, 'charge 1', 'reserve 1']]);
  });

  it('waits with at most two others at once', async () => {
    const { ask, sent, at } = setUp({ contentionMs: 60_000 });
    const accounts = [1, 2, 3, 4];
    for (const account of accounts) void ask('charge', account);
    await turn();
    await at(0).answer('contended');
    for (const index of [1, 2, 3, 4]) await at(index).answer('settled');
    for (const account of accounts) void ask('charge', account);
    await turn();
    expect(sent.slice(5).map(({ waitMs, calls }) => [waitMs, ...calls])).toEqual([
      ['charges, 5000', 'charge 1'],
      ['charges, 5000', 'charge 2'],
      ['charges, 5000', 'charge 3'],
      ['charges', 'charge 4'],
    ]);
  });

  it('does not keep others waiting, however many its charges are', async () => {
    const { ask, sent, at } = setUp({ contentionMs: 60_000, callsMax: 2 });
    void ask('charge', 1);
    await turn();
    await at(0).answer('contended');
    await at(1).answer('settled');
    for (const account of [1, 1, 1, 2]) void ask('charge', account);
    await turn();
    expect(sent.slice(2).map(({ waitMs, calls }) => [waitMs, ...calls])).toEqual([
      ['charges, 5000', 'charge 1', 'charge 1'],
      ['charges', 'charge 2'],
    ]);
  });
});

describe('a call of another caller', () => {
  it('does not wait for calls that already wait for a locked meter', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, sent, at } = setUp();
    const askMany = () => Array.from({ length: 32 }, () => void ask('charge', 1));
    askMany();
    await turn();
    await at(0).answer('contended');
    await at(1).answer('settled');
    askMany();
    await turn();
    expect(sent).toHaveLength(3);
    void ask('charge', 2);
    await turn();
    expect(sent.slice(3).map(({ waitMs, calls }) => [waitMs, ...calls])).toEqual([['charges', 'charge 2']]);
  });
});

describe('a statement that fails', () => {
  it('for one of its calls is repeated for each alone, and only that one fails', async () => {
    const { ask, at } = setUp();
    const outcomes = Promise.allSettled([ask('reserve', 1), ask('settle', 2), ask('reserve', 3)]);
    await turn();
    await at(0).fail('refused');
    await at(1).answer();
    await at(2).fail('refused');
    await at(3).answer();
    expect([1, 2, 3].map((index) => at(index).calls.length)).toEqual([1, 1, 1]);
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('because the database is away refuses admission at once, and repeats charges', async () => {
    const { ask, at, batches, away } = setUp();
    const admission = ask('reserve', 1).catch((error: unknown) => error);
    const charge = ask('settle', 2);
    const release = ask('release', 3);
    await turn();
    await at(0).fail('unavailable');
    expect(await admission).toSatisfy((error: unknown) => isApiError(error) && error.code === 'STORE_UNAVAILABLE');
    expect(await release).toEqual({ outcome: 'gone' });
    await repeated(at, 1);
    expect(at(1).calls).toEqual(['settle 2']);
    await at(1).answer('settled');
    expect(await charge).toEqual({ outcome: 'settled' });
    expect(away).toEqual(['unavailable']);
    await batches.idle();
  });

  it('without an answer repeats an admission once', async () => {
    const { ask, at } = setUp();
    const admission = ask('reserve', 1).catch((error: unknown) => error);
    await turn();
    await at(0).fail('unknown');
    await repeated(at, 1);
    await at(1).fail('unknown');
    expect(await admission).toSatisfy(isApiError);
  });

  it('frees an admission that was perhaps made, as soon as the database answers', async () => {
    const { ask, at, batches } = setUp();
    const admission = ask('reserve', 1).catch((error: unknown) => error);
    await turn();
    await at(0).fail('unknown');
    await repeated(at, 1);
    await at(1).fail('unknown');
    await admission;
    for (const index of [2, 3]) {
      expect((await repeated(at, index)).calls).toEqual(['release 1']);
      await at(index).fail('unavailable');
    }
    await repeated(at, 4);
    await at(4).answer('released');
    await batches.idle();
  });

  it('frees nothing of an admission that cannot have been made', async () => {
    const { ask, at, sent, batches } = setUp();
    const admission = ask('reserve', 1).catch((error: unknown) => error);
    await turn();
    await at(0).fail('unavailable');
    await admission;
    await batches.idle();
    expect(sent).toHaveLength(1);
  });
});

describe('idle', () => {
  it('resolves once every call has an outcome, those that wait for another try included', async () => {
    const { ask, at, batches } = setUp();
    await batches.idle();
    const charge = ask('settle', 1);
    let isIdle = false;
    const idle = batches.idle().then(() => (isIdle = true));
    await turn();
    await at(0).fail('unavailable');
    expect(isIdle).toBe(false);
    await repeated(at, 1);
    await at(1).answer('settled');
    await Promise.all([charge, idle]);
  });

  it('resolves if the last calls are admissions that waited too long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, at, batches } = setUp();
    void ask('settle', 1);
    await turn();
    const admission = expect(ask('reserve', 2)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    let isIdle = false;
    void batches.idle().then(() => (isIdle = true));
    vi.advanceTimersByTime(5_001);
    await at(0).answer('settled');
    await turn();
    await admission;
    expect(isIdle).toBe(true);
  });
});

describe('a charge that was given up', () => {
  it('frees what its call holds, as soon as the database answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, sent, at, batches } = setUp();
    const failing = expect(ask('settle', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await turn();
    for (let index = 0; index < 30; index++) {
      if (sent.length > index) await at(index).fail('unavailable');
      await vi.advanceTimersByTimeAsync(1_000);
      await turn();
    }
    await failing;
    expect(sent.at(-1)?.calls).toEqual(['release 1']);
    await sent.at(-1)?.answer('released');
    await batches.idle();
  });
});

describe('plain charges', () => {
  it('of callers with no other kind of call in the batch have a statement of their own, before that of the other calls', async () => {
    const { ask, sent, at } = setUp();
    const outcomes = [ask('charge', 1), ask('charge', 2), ask('reserve', 3), ask('charge', 3)];
    await turn();
    expect(sent.map(({ calls, waitMs }) => [waitMs, ...calls])).toEqual([['charges', 'charge 1', 'charge 2']]);
    await at(0).answer('settled');
    expect([at(1).waitMs, ...at(1).calls]).toEqual([null, 'reserve 3', 'charge 3']);
    await at(1).answer(['admitted', 'settled']);
    expect((await Promise.all(outcomes)).map(({ outcome }) => outcome)).toEqual([
      'settled',
      'settled',
      'admitted',
      'settled',
    ]);
  });

  it('of one caller share it, unless they differ in key, purse or time', async () => {
    const { ask, at } = setUp();
    for (const account of [1, 2, 1]) void ask('charge', account);
    void ask('charge', 3);
    void ask('charge', 3, null, { purse: 'x402' });
    await turn();
    expect([at(0).waitMs, ...at(0).calls]).toEqual(['charges', 'charge 1', 'charge 2', 'charge 1']);
    await at(0).answer('settled');
    expect([at(1).waitMs, ...at(1).calls]).toEqual([null, 'charge 3', 'charge 3']);
  });

  it('of a caller whose meter is locked wait for it together, in a statement of the same kind, and then of the other', async () => {
    const { ask, at } = setUp();
    const waiting = [ask('charge', 1), ask('charge', 1)];
    void ask('charge', 2);
    await turn();
    await at(0).answer(['contended', 'contended', 'settled']);
    expect([at(1).waitMs, ...at(1).calls]).toEqual(['charges, 5000', 'charge 1', 'charge 1']);
    await at(1).answer([null, null]);
    expect([at(2).waitMs, ...at(2).calls]).toEqual([5_000, 'charge 1', 'charge 1']);
    await at(2).answer(['settled', 'refused']);
    expect((await Promise.all(waiting)).map(({ outcome }) => outcome)).toEqual(['settled', 'refused']);
  });

  it('that it leaves go with the other calls, as their first attempt', async () => {
    const { ask, sent, at } = setUp();
    const left = ask('charge', 1);
    void ask('charge', 2);
    await turn();
    await at(0).answer([null, 'settled']);
    expect([at(1).waitMs, ...at(1).calls]).toEqual([null, 'charge 1']);
    await at(1).answer('refused');
    expect((await left).outcome).toBe('refused');
    expect(sent).toHaveLength(2);
  });

  it('whose statement was lost are asked about again by the other one, which looks whether they took effect', async () => {
    const { ask, at, away } = setUp();
    const charge = ask('charge', 1);
    await turn();
    await at(0).fail('unknown');
    expect(away).toEqual(['unknown']);
    await vi.waitFor(() => expect([at(1).waitMs, ...at(1).calls]).toEqual([null, 'charge 1']));
    await at(1).answer('settled');
    expect((await charge).outcome).toBe('settled');
  });

  it('one of which is refused by the database fail alone', async () => {
    const { ask, at } = setUp();
    const [good, bad] = [ask('charge', 1), ask('charge', 2)];
    const failing = expect(bad).rejects.toThrow('refused');
    await turn();
    await at(0).fail('refused');
    await at(1).answer('settled');
    await at(2).fail('refused');
    expect((await good).outcome).toBe('settled');
    await failing;
  });

  it('while the database is away fail as not charged, and as unconfirmed where one may have been written', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const [first, message] of [
      ['unavailable', /Nothing was charged/],
      ['unknown', /may have been charged/],
    ] as const) {
      const { ask, sent, at } = setUp();
      const charge = ask('charge', 1);
      const failing = expect(charge).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringMatching(message) as string,
      });
      await turn();
      await at(0).fail(first);
      for (let index = 1; index < 40; index++) {
        await vi.advanceTimersByTimeAsync(1_000);
        await turn();
        if (sent.length > index) await at(index).fail('unavailable');
      }
      await failing;
    }
  });
});

describe('a statement of which some partitions may have committed their part', () => {
  it('is sent again call by call, charges only in the statement that looks up whether they were made', async () => {
    const { ask, at } = setUp();
    const charges = Promise.allSettled([ask('charge', 1), ask('charge', 2)]);
    await turn();
    expect(at(0)).toMatchObject({ calls: ['charge 1', 'charge 2'], waitMs: 'charges' });
    await at(0).fail('partial');
    expect(at(1)).toMatchObject({ calls: ['charge 1'], waitMs: null });
    await at(1).answer('settled');
    expect(at(2)).toMatchObject({ calls: ['charge 2'], waitMs: null });
    await at(2).fail('refused');
    expect(await charges).toMatchObject([{ value: { outcome: 'settled' } }, { status: 'rejected' }]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AttestationTurns, type EnclaveRequest, type CallerPriority } from './attestation-turns';

const settle = () => sleep(0);

/** Runs requests until the test ends them. */
function bench(atATime: number) {
  const turns = new AttestationTurns(atATime);
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  let most = 0;
  const asked = async (request: EnclaveRequest, work: () => Promise<string>) =>
    turns.ask(request, () => undefined, work);
  const ask = (key: string, priority: CallerPriority, more: Partial<EnclaveRequest> = {}) =>
    asked({ lane: 'report one', key, caller: key, priority, ...more }, () => {
      begun.push(key);
      return new Promise<string>((resolve) => {
        running.set(key, () => {
          running.delete(key);
          resolve(key);
        });
        most = Math.max(most, running.size);
      });
    }).catch((error: { code: string }) => error.code);
  const end = async (key: string) => {
    running.get(key)?.();
    await settle();
  };
  return { turns, ask, end, begun, running, most: () => most };
}

describe('questions to the enclaves of a model', () => {
  it('that are the same are asked once, for all that ask', async () => {
    const { ask, end, begun } = bench(2);
    const answers = Array.from({ length: 10 }, (_, caller) => ask('nonce', 'known', { caller }));
    await end('nonce');
    expect([await Promise.all(answers), begun]).toEqual([Array(10).fill('nonce'), ['nonce']]);
  });

  it('run so many at a time, one of them kept for callers who have paid', async () => {
    const { ask, end, begun } = bench(3);
    for (const key of ['a', 'b', 'c', 'd']) void ask(key, 'known');
    expect(begun).toEqual(['a', 'b']);
    void ask('e', 'paying');
    expect(begun).toEqual(['a', 'b', 'e']);
    void ask('f', 'paying');
    await end('a');
    expect(begun).toEqual(['a', 'b', 'e', 'f']);
  });

  it('wait in turn: those who have paid, then those with an account, then made-up wallets, and of each who has the fewest under way', async () => {
    const { ask, end, begun } = bench(1);
    void ask('first', 'known');
    void ask('stranger', 'stranger');
    void ask('known', 'known');
    void ask('paying', 'paying');
    for (const key of ['first', 'paying', 'known']) await end(key);
    expect(begun).toEqual(['first', 'paying', 'known', 'stranger']);
  });

  it('of one caller do not hold up those of another', async () => {
    const { ask, end, begun } = bench(3);
    for (const key of ['1', '2', '3', '4', '5']) void ask(key, 'paying', { caller: 'greedy' });
    void ask('other', 'paying');
    await end('1');
    expect(begun).toEqual(['1', '2', '3', 'other']);
  });

  it('that find no room displace one of a lesser standing, else they are refused', async () => {
    const { ask, begun } = bench(1);
    void ask('running', 'paying');
    const strangers = Array.from({ length: 32 }, (_, at) => ask(`s${at}`, 'stranger'));
    expect(await ask('one too many', 'stranger')).toBe('ATTESTATION_BUSY');
    void ask('customer', 'paying');
    expect(await strangers[31]).toBe('ATTESTATION_BUSY');
    expect(begun).toEqual(['running']);
  });

  it('of one caller wait four at most', async () => {
    const { ask } = bench(1);
    void ask('running', 'known', { caller: 1 });
    for (let at = 0; at < 4; at++) void ask(`w${at}`, 'known', { caller: 1 });
    expect(await ask('fifth', 'known', { caller: 1 })).toBe('ATTESTATION_BUSY');
  });

  it('of strangers are two at a time in all, one of a model, and rest between two', async () => {
    const { ask, end, begun } = bench(4);
    void ask('a', 'stranger');
    void ask('b', 'stranger');
    void ask('c', 'stranger', { lane: 'report two' });
    void ask('d', 'stranger', { lane: 'report three' });
    expect(begun).toEqual(['a']);
    await sleep(300);
    expect(begun).toEqual(['a', 'c']);
    await sleep(300);
    expect(begun).toEqual(['a', 'c']);
    await end('a');
    await sleep(2_300);
    expect(begun).toEqual(['a', 'c', 'b']);
  });

  it('of strangers rest also after one that took long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, end, begun } = bench(2);
    void ask('slow', 'stranger');
    void ask('next', 'stranger');
    await vi.advanceTimersByTimeAsync(5_000);
    await end('slow');
    await vi.advanceTimersByTimeAsync(1_900);
    expect(begun).toEqual(['slow']);
    await vi.advanceTimersByTimeAsync(200);
    expect(begun).toEqual(['slow', 'next']);
  });

  it('are refused by `admit` only where they are not shared', () => {
    const turns = new AttestationTurns(1);
    const request = { lane: 'report one', key: 'nonce', caller: 1, priority: 'paying' } as const;
    const refuse = (): never => {
      throw new Error('Refused.');
    };
    void turns.ask(
      request,
      () => undefined,
      () => new Promise(() => undefined),
    );
    expect(() => turns.ask({ ...request, key: 'another' }, refuse, () => Promise.resolve())).toThrow('Refused.');
    expect(() => void turns.ask(request, refuse, () => Promise.resolve())).not.toThrow();
  });

  it('never exceed their limit, and all of them end, for any callers in any order', async () => {
    const asked = fc.record({
      key: fc.integer({ min: 0, max: 20 }).map(String),
      priority: fc.constantFrom<CallerPriority[]>('paying', 'known'),
      caller: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(asked, { maxLength: 60 }),
        async (atATime, requests) => {
          const { ask, running, most } = bench(atATime);
          const answers = requests.map(({ key, priority, caller }) => ask(key, priority, { caller }));
          for (let round = 0; round < 100 && running.size > 0; round++) {
            for (const finish of [...running.values()]) finish();
            await settle();
          }
          expect(most()).toBeLessThanOrEqual(atATime);
          for (const [at, answer] of (await Promise.all(answers)).entries())
            expect([requests[at]?.key, 'ATTESTATION_BUSY']).toContain(answer);
        },
      ),
      { numRuns: 100 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { AttestationParts } from './attest';
import type { AttestedModel } from './attested-model';
import { OwnVerdicts } from './own-verdicts';

const MODEL = { id: 'm', upstream: { name: 'enclave' }, encryption: null } as unknown as AttestedModel;
const OTHER = { ...MODEL, upstream: { ...MODEL.upstream, name: 'other' } } as AttestedModel;

function stage(answer: (asked: number) => Promise<Record<string, unknown>>) {
  let nowMs = 0;
  const nonces: string[] = [];
  const parts = { now: () => nowMs } as unknown as AttestationParts;
  const verdicts = new OwnVerdicts(parts, (_model, nonce) => {
    nonces.push(nonce);
    return answer(nonces.length);
  });
  return { verdicts, nonces, wait: (ms: number) => (nowMs += ms) };
}

describe('the own verdict on an enclave', () => {
  it('is good only for a verified report, over a new nonce each time, and lasts five minutes', async () => {
    const { verdicts, nonces, wait } = stage(() => Promise.resolve({ verified: true }));
    expect([await verdicts.isAttested(MODEL), await verdicts.isAttested(MODEL)]).toEqual([true, true]);
    wait(5 * 60_000);
    await verdicts.isAttested(MODEL);
    expect(nonces).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it.each([{ verified: false }, { verified: 'true' }, {}])(
    'is bad for %j, and asked again after half a minute',
    async (report) => {
      const { verdicts, nonces, wait } = stage((asked) => Promise.resolve(asked === 1 ? report : { verified: true }));
      expect([await verdicts.isAttested(MODEL), await verdicts.isAttested(MODEL)]).toEqual([false, false]);
      expect(nonces).toHaveLength(1);
      wait(30_000);
      expect(await verdicts.isAttested(MODEL)).toBe(true);
    },
  );

  it('is shared by callers at the same time, and of each server alone', async () => {
    const { verdicts, nonces } = stage(() => Promise.resolve({ verified: true }));
    await Promise.all([verdicts.isAttested(MODEL), verdicts.isAttested(MODEL), verdicts.isAttested(OTHER)]);
    expect(nonces).toHaveLength(2);
  });

  it('fails where the enclave does not answer, and is asked for again', async () => {
    const { verdicts } = stage((asked) =>
      asked === 1 ? Promise.reject(new Error('Away.')) : Promise.resolve({ verified: true }),
    );
    await expect(verdicts.isAttested(MODEL)).rejects.toThrow('Away.');
    expect(await verdicts.isAttested(MODEL)).toBe(true);
  });
});

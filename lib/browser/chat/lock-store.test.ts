import type { Attestation } from '@/lib/client/private-chat';
import { describe, expect, it } from 'vitest';
import { lockOf, noteJudged, noteLock } from './lock-store';

const attested = (model: string, address: string | null): Attestation => ({
  model,
  nonce: '00'.repeat(32),
  verdict: { conclusion: address === null ? 'failed' : 'verified', reason: null, checks: [], key: address === null ? null : { address, publicKey: null }, measurements: null, workload: null, checkedAtMs: 0 },
  claim: { verified: null, verdict: null, reason: null, provider: null },
  report: {},
  latencyMs: 0,
  verifyMs: 0,
  exportText: () => '',
});
const keyBefore = (model: string) => {
  const lock = lockOf(model);
  return lock.kind === 'judged' ? lock.keyBefore : undefined;
};

describe('the lock of a model', () => {
  it('says that the key is another than the one attested before, also after a check that failed in between', () => {
    noteJudged(attested('a', '0x01'));
    expect(keyBefore('a')).toBeNull();
    noteJudged(attested('a', '0x01'));
    expect(keyBefore('a')).toBeNull();
    noteJudged(attested('a', null));
    expect(keyBefore('a')).toBeNull();
    noteLock('a', { kind: 'checking' });
    noteJudged(attested('a', '0x02'));
    expect(keyBefore('a')).toBe('0x01');
    noteJudged(attested('a', '0x02'));
    expect(keyBefore('a')).toBeNull();
  });

  it('does not compare the keys of two models', () => {
    noteJudged(attested('b', '0x03'));
    noteJudged(attested('c', '0x04'));
    expect([keyBefore('b'), keyBefore('c')]).toEqual([null, null]);
  });
});

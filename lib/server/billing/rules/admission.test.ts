import { describe, expect, it } from 'vitest';
import type { ReserveRequest } from '../meter';
import { type CallerFacts, countsTowardMinute, judge, type Verdict } from './admission';
import { NO_SPEND } from './key-limit';
import { EMPTY_POTS } from './pots';

const NOW = Date.UTC(2026, 10, 20, 12);
const KEPT = { fingerprint: 'f', body: Buffer.from('answer'), isKept: 1 };
const KEY = {
  revokedAt: null,
  expiresAt: null,
  limitPeriod: 'LIFETIME',
  limitUsd: 0,
  limitDiem: null,
  limitPrepaid: null,
} as const;
const REQUEST: ReserveRequest = {
  caller: { accountId: 1, apiKeyId: 1, purse: 'account' },
  keyHash: 'h',
  maxNanoUsd: 50,
  maxCredits: 10,
  idempotency: { key: 'k', fingerprint: 'g' },
  now: NOW,
};

const OVER: CallerFacts = {
  pots: EMPTY_POTS,
  minute: { startedAt: NOW, requests: 9 },
  credits: { charged: () => 95, held: 0, freeAt: () => NOW + 1 },
  requestsPerMinute: 9,
  creditsPerDay: 100,
  key: { ...KEY, revokedAt: 1, expiresAt: 1 },
  keyUsed: () => NO_SPEND,
  isRunning: () => true,
  kept: () => KEPT,
  idempotencyKeys: () => 3,
  idempotencyKeysMax: 3,
};

/** Changes, each of which removes one reason for refusal. */
const CURES: [reason: string, cure: Partial<CallerFacts>][] = [
  ['key-revoked', { key: { ...KEY, expiresAt: NOW } }],
  ['key-expired', { key: KEY }],
  ['minute-cap', { requestsPerMinute: 10 }],
  ['collision', { isRunning: () => false }],
  ['key-reused', { kept: () => undefined }],
  ['key-cap', { idempotencyKeysMax: 4 }],
  ['credit-cap', { creditsPerDay: 105 }],
  ['balance', { pots: { ...EMPTY_POTS, balances: [0, 0, 50, 0] } }],
  ['key-limit', { key: { ...KEY, limitUsd: 50 } }],
];

const reasonOf = (verdict: Verdict): string =>
  verdict.outcome === 'refused' ? verdict.refusal.reason : verdict.outcome;

describe('a call that could be refused for everything', () => {
  it('is told one reason after the other, in this order, and then admitted', () => {
    let caller = OVER;
    const reasons: string[] = [];
    for (const [, cure] of CURES) {
      reasons.push(reasonOf(judge(REQUEST, caller)));
      caller = { ...caller, ...cure };
    }
    expect(reasons).toEqual(CURES.map(([reason]) => reason));
    expect(judge(REQUEST, caller)).toEqual({
      outcome: 'admitted',
      hold: { purse: 'account', amounts: [0, 0, 50, 0], diemEpoch: 0 },
    });
  });

  it('is refused what its wallet prepaid, where its key no longer may spend that', () => {
    const caller = {
      ...OVER,
      key: { ...KEY, limitUsd: null },
      pots: { ...EMPTY_POTS, balances: [0, 0, 20, 100] as const },
      requestsPerMinute: null,
      creditsPerDay: null,
    };
    const request = { ...REQUEST, caller: { ...REQUEST.caller, purse: 'all' as const }, idempotency: null };
    expect(judge(request, caller)).toEqual({
      outcome: 'refused',
      refusal: { reason: 'key-limit', currency: 'prepaid', period: 'LIFETIME' },
    });
    expect(judge(request, { ...caller, key: { ...caller.key, limitPrepaid: 30 } })).toMatchObject({
      outcome: 'admitted',
      hold: { amounts: [0, 0, 20, 30] },
    });
    expect(judge({ ...request, maxNanoUsd: 20 }, caller)).toMatchObject({ outcome: 'admitted' });
  });

  it('without a key, or none that is known, is not asked what only a key has', () => {
    expect(reasonOf(judge({ ...REQUEST, keyHash: null }, { ...OVER, key: null }))).toBe('minute-cap');
    expect(reasonOf(judge(REQUEST, { ...OVER, key: null }))).toBe('key-revoked');
  });

  it("outside the RPC proxy is not refused by the proxy's caps", () => {
    const uncapped = { ...REQUEST, uncapped: true };
    expect(reasonOf(judge(uncapped, { ...OVER, key: KEY }))).toBe('collision');
    expect(reasonOf(judge({ ...uncapped, idempotency: null }, { ...OVER, key: KEY }))).toBe('balance');
  });
});

describe('an answer that is kept', () => {
  it('needs no balance and no credits, and is within the cap a minute', () => {
    const request = { ...REQUEST, idempotency: { key: 'k', fingerprint: 'f' } };
    expect(judge(request, { ...OVER, key: KEY, isRunning: () => false, requestsPerMinute: 10 })).toEqual({
      outcome: 'replayed',
      body: KEPT.body,
    });
    expect(reasonOf(judge(request, { ...OVER, key: KEY, isRunning: () => false }))).toBe('minute-cap');
  });
});

describe('what counts toward the minute', () => {
  const refused = (reason: 'answer-not-kept' | 'key-reused'): Verdict => ({ outcome: 'refused', refusal: { reason } });
  const replayed: Verdict = { outcome: 'replayed', body: KEPT.body };

  it('is what is made or repeated, not what is refused', () => {
    expect(
      [replayed, refused('answer-not-kept'), refused('key-reused')].map((verdict) =>
        countsTowardMinute(REQUEST, verdict),
      ),
    ).toEqual([true, true, false]);
  });

  it('is nothing beside the RPC proxy', () => {
    expect(
      [replayed, refused('answer-not-kept')].map((verdict) =>
        countsTowardMinute({ ...REQUEST, uncapped: true }, verdict),
      ),
    ).toEqual([false, false]);
  });
});

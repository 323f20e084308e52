import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOperatorKey, refusalOfKey } from './key-check';

afterEach(() => void vi.unstubAllGlobals());

function answer(status: number, body: object): void {
  vi.stubGlobal('window', { location: { origin: 'http://localhost:3000' } });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'r' } })),
  );
}

const BALANCE = {
  canConsume: true,
  consumptionCurrency: 'USD',
  balances: { diem: 0, bundledCredits: 0, usd: 1 },
  diemEpochAllocation: 0,
  diemEpochEndsAt: '2026-11-24T00:00:00Z',
};

describe('refusalOfKey', () => {
  it('has nothing against a key that the gateway takes', async () => {
    answer(200, BALANCE);
    expect(await refusalOfKey('tpk_good')).toBeNull();
  });

  it('says what the gateway says of a key that it does not', async () => {
    answer(401, { error: 'This key was revoked.', code: 'API_KEY_REVOKED' });
    expect(await refusalOfKey('tpk_bad')).toBe('This key was revoked.');
  });

  it.each([402, 429, 500, 503])('has nothing against a key of which a %i says nothing', async (status) => {
    answer(status, { error: 'Later.' });
    expect(await refusalOfKey('tpk_unknown')).toBeNull();
  });

  it('has nothing against a key while nothing answers', async () => {
    answer(200, BALANCE);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(await refusalOfKey('tpk_unknown')).toBeNull();
  });
});

describe('isOperatorKey', () => {
  it('is so where its figures are there, and not where there is nothing or no answer', async () => {
    answer(200, {});
    expect(await isOperatorKey('operator')).toBe(true);
    answer(404, { error: 'There is nothing at this path.' });
    expect(await isOperatorKey('tpk_other')).toBe(false);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(await isOperatorKey('tpk_unknown')).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { UNLIMITED } from '@/test/metered-store';
import type { MeterLimits, ReserveRequest } from '../meter';
import { Headroom } from './headroom';

const request = (settings: Partial<ReserveRequest> = {}): ReserveRequest => ({
  caller: { accountId: 1, apiKeyId: null, purse: 'account' },
  keyHash: null,
  maxNanoUsd: 100,
  maxCredits: 20,
  deferrable: true,
  idempotency: null,
  now: 0,
  ...settings,
});
const wallet = request({ caller: { accountId: 1, apiKeyId: null, purse: 'x402' } });

function known(limits: MeterLimits = UNLIMITED, roomNanoUsd = 100): Headroom {
  const headroom = new Headroom(limits);
  headroom.learn(request().caller, roomNanoUsd, 0);
  return headroom;
}

describe('a call is made before it is admitted', () => {
  it('only where the database said lately that there is room for it', () => {
    expect(new Headroom(UNLIMITED).admits(request(), 0)).toBe(false);
    expect(known().admits(request(), 59_999)).toBe(true);
    expect(known().admits(request(), 60_000)).toBe(false);
    expect(known().admits(request({ maxNanoUsd: 101 }), 0)).toBe(false);
    expect(known().admits(wallet, 0)).toBe(false);
  });

  it('never where it changes something, or has an idempotency key', () => {
    expect(known().admits(request({ deferrable: false }), 0)).toBe(false);
    expect(known().admits(request({ idempotency: { key: 'k', fingerprint: 'f' } }), 0)).toBe(false);
  });

  it('with at most eight of a caller at once, whatever the purse, and another when one has ended', () => {
    const headroom = known();
    headroom.learn(wallet.caller, 100, 0);
    for (let call = 0; call < 8; call++) expect(headroom.admits(call % 2 ? wallet : request(), 0)).toBe(true);
    expect(headroom.admits(request(), 0)).toBe(false);
    headroom.ended(wallet);
    expect(headroom.admits(request(), 0)).toBe(true);
  });

  it('with fewer at once, and cheaper ones, where caps are small', () => {
    const small = known({
      requestsPerMinute: { standard: 17, paid: 100, staff: null },
      creditsPerDay: { standard: 1_280, paid: null, staff: null },
    });
    expect(small.admits(request({ maxCredits: 21 }), 0)).toBe(false);
    expect([1, 2, 3].map(() => small.admits(request(), 0))).toEqual([true, true, false]);
    expect(
      known({ ...UNLIMITED, requestsPerMinute: { standard: 7, paid: null, staff: null } }).admits(request(), 0),
    ).toBe(false);
  });

  it('no longer, from either purse, once the caller is near a limit', () => {
    const headroom = known();
    headroom.learn(wallet.caller, 100, 0);
    headroom.close(wallet.caller, 1);
    expect([headroom.admits(request(), 2), headroom.admits(wallet, 2)]).toEqual([false, false]);
    headroom.learn(request().caller, 100, 3);
    expect(headroom.admits(request(), 4)).toBe(true);
  });

  it('not for a while after the database was away', () => {
    const headroom = known();
    headroom.pause(1_000);
    expect([headroom.admits(request(), 5_999), headroom.admits(request(), 6_000)]).toEqual([false, true]);
  });
});

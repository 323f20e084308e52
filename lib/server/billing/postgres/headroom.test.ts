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

  it('only where all such calls of a caller cost at most as much as eight of the dearest, whatever the purse', () => {
    const headroom = known();
    headroom.learn(wallet.caller, 100, 0);
    for (let call = 0; call < 8; call++) expect(headroom.admits(call % 2 ? wallet : request(), 0)).toBe(true);
    expect(headroom.admits(request({ maxNanoUsd: 1 }), 0)).toBe(false);
    headroom.ended(wallet);
    expect(headroom.admits(request({ maxNanoUsd: 60 }), 0)).toBe(true);
    expect(headroom.admits(request({ maxNanoUsd: 41 }), 0)).toBe(false);
    expect(headroom.admits(request({ maxNanoUsd: 40 }), 0)).toBe(true);
  });

  it('with at most 128 of a caller at once', () => {
    const headroom = known();
    const cheap = request({ maxNanoUsd: 1 });
    for (let call = 0; call < 128; call++) expect(headroom.admits(cheap, 0)).toBe(true);
    expect(headroom.admits(cheap, 0)).toBe(false);
    headroom.ended(cheap);
    expect(headroom.admits(cheap, 0)).toBe(true);
  });

  it('only where all such calls of a caller have at most an eighth of the smallest cap on credits', () => {
    const small = known({ ...UNLIMITED, creditsPerDay: { standard: 1_280, paid: null, staff: null } }, 1_000);
    for (let call = 0; call < 8; call++) expect(small.admits(request(), 0)).toBe(true);
    expect(small.admits(request({ maxCredits: 1 }), 0)).toBe(false);
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

  it("within the caps of the caller's own tier, once this is known", () => {
    const caps = { standard: 17, paid: 100, staff: null };
    const headroom = new Headroom({
      requestsPerMinute: caps,
      creditsPerDay: { standard: 64, paid: null, staff: null },
    });
    headroom.learn(request().caller, 100, 0, 'staff');
    headroom.learn(request().caller, 1_000, 1);
    for (let call = 0; call < 80; call++) expect(headroom.admits(request(), 1)).toBe(true);
    headroom.learn(wallet.caller, 100, 0);
    expect(headroom.admits(wallet, 0)).toBe(false);
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

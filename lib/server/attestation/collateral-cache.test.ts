import { describe, expect, it, vi } from 'vitest';
import type { CollateralJson } from '@/lib/protocol/tee/hardware/collateral';
import type { QuotedPlatform } from '@/lib/protocol/tee/hardware/quoted-platform';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { recordedSample } from '@/lib/protocol/tee/testing/recorded-samples';
import { createLog } from '../telemetry/log';
import { ServiceFailed } from './bounded-fetch';
import { CollateralCache } from './collateral-cache';

vi.setConfig({ testTimeout: 60_000 });

const HOUR_MS = 3_600_000;
const sample = recordedSample();

if (sample) {
  const collateral = sample.collateral as unknown as CollateralJson;

  /** Creates a cache with a scripted service and a clock that the test moves. */
  function cacheOver(fetch: (platform: QuotedPlatform) => Promise<CollateralJson>) {
    const clock = { nowMs: sample?.nowMs ?? 0 };
    const asked: QuotedPlatform[] = [];
    const service = { fetch };
    const cache = new CollateralCache({
      fetch: (platform) => {
        asked.push(platform);
        return service.fetch(platform);
      },
      policy: DEFAULT_POLICY,
      log: createLog('silent'),
      now: () => clock.nowMs,
    });
    return { clock, asked, service, get: () => cache.collateralFor(sample?.quote ?? new Uint8Array()), cache };
  }
  const fails = () => Promise.reject(new ServiceFailed('It is away.'));

  describe('the collateral of a genuine quote', () => {
    it('is asked for once by its family and authority, however many wait for it', async () => {
      const { get, asked } = cacheOver(() => Promise.resolve(collateral));
      const all = await Promise.all([get(), get(), get()]);
      expect(all).toEqual([collateral, collateral, collateral]);
      await get();
      expect(asked).toEqual([{ fmspc: 'B0C06F000000', authority: 'platform' }]);
    });

    it('is asked for anew after a day beside the answer, and goes on while the service is away, until it expires', async () => {
      const { get, asked, clock, service } = cacheOver(() => Promise.resolve(collateral));
      await get();
      service.fetch = fails;
      clock.nowMs += 25 * HOUR_MS;
      expect(await get()).toBe(collateral);
      expect(asked).toHaveLength(2);
      await get();
      expect(asked).toHaveLength(2);
      clock.nowMs = Date.UTC(2025, 6, 19, 9);
      expect(await get()).toBe(collateral);
      clock.nowMs = Date.UTC(2025, 6, 25);
      await expect(get()).rejects.toThrow(ServiceFailed);
    });

    it('is not asked for at once again after a failure', async () => {
      const { get, asked, clock, service } = cacheOver(fails);
      await expect(get()).rejects.toThrow('It is away.');
      await expect(get()).rejects.toThrow('It is away.');
      expect(asked).toHaveLength(1);
      clock.nowMs += 31_000;
      service.fetch = () => Promise.resolve(collateral);
      expect(await get()).toBe(collateral);
    });

    it('is held for a minute only where it does not verify', async () => {
      const touched = { ...collateral, tcb_info_signature: `00${collateral.tcb_info_signature.slice(2)}` };
      const { get, clock, service } = cacheOver(() => Promise.resolve(touched));
      expect(await get()).toBe(touched);
      service.fetch = () => Promise.resolve(collateral);
      expect(await get()).toBe(touched);
      clock.nowMs += 61_000;
      expect(await get()).toBe(collateral);
    });

    it.each([
      ['expired collateral', Date.UTC(2025, 7, 1), collateral],
      ['text that is not JSON', sample.nowMs, { ...collateral, tcb_info: 'x' }],
      ['an invalid revocation list', sample.nowMs, { ...collateral, pck_crl: '30' }],
    ])('is refused if the service returns %s', async (_, nowMs, json) => {
      const { get, clock } = cacheOver(() => Promise.resolve(json));
      clock.nowMs = nowMs;
      await expect(get()).rejects.toThrow('could not be parsed');
    });

    it('is never asked for on the word of a quote that leads to no trusted root', async () => {
      const { cache, asked } = cacheOver(() => Promise.resolve(collateral));
      const touched = sample.quote.slice();
      touched[2_000] = (touched[2_000] as number) ^ 1;
      for (const quote of [touched, new Uint8Array(5_000), new Uint8Array()])
        await expect(cache.collateralFor(quote)).rejects.toThrow();
      expect(asked).toEqual([]);
    });
  });
}

describe('a cache without samples', () => {
  it('refuses what is no quote', async () => {
    const cache = new CollateralCache({
      fetch: () => Promise.reject(new Error()),
      policy: DEFAULT_POLICY,
      log: createLog('silent'),
    });
    await expect(cache.collateralFor(new Uint8Array(100))).rejects.toThrow();
  });
});

import type { Logger } from 'pino';
import { CheckList } from '@/lib/protocol/tee/check-list';
import { type CollateralJson, readCollateral } from '@/lib/protocol/tee/hardware/collateral';
import { collateralExpiryMs } from '@/lib/protocol/tee/hardware/collateral-window';
import { quotedPlatform, type QuotedPlatform } from '@/lib/protocol/tee/hardware/quoted-platform';
import { verifyHardware } from '@/lib/protocol/tee/hardware/verify-hardware';
import { Malformed } from '@/lib/protocol/tee/malformed';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { ServiceFailed } from './bounded-fetch';

const HOUR_MS = 3_600_000;
/** Age at which collateral is refreshed. Intel may publish a new vulnerability before old collateral expires. */
const REFRESH_AFTER_MS = 24 * HOUR_MS;
/** Time to cache collateral that fails verification; short, because the service may soon correct it. */
const DOUBTFUL_MS = 60_000;
const RETRY_AFTER_MS = 30_000;
const PLATFORMS_MAX = 64;

interface Held {
  json: CollateralJson;
  refreshAtMs: number;
  expiresAtMs: number;
}

interface Slot {
  held: Held | null;
  asking: Promise<Held> | null;
  retryAtMs: number;
  failure: string;
}

interface CollateralCacheParts {
  /** @throws ServiceFailed */
  fetch: (platform: QuotedPlatform) => Promise<CollateralJson>;
  policy: AttestationPolicy;
  log: Logger;
  /** Returns Unix milliseconds. */
  now?: () => number;
}

/**
 * Cache of collateral by platform. Refreshes an entry in the background after half of its lifetime, and at the latest
 * after a day. If the service is unavailable, uses an entry until any of its parts expires.
 */
export class CollateralCache {
  readonly #slots = new Map<string, Slot>();

  constructor(private readonly parts: CollateralCacheParts) {}

  /**
   * Returns the collateral needed to check a quote.
   * @throws ServiceFailed if no collateral can be fetched; Malformed or Untrusted for an invalid quote
   */
  async collateralFor(quote: Uint8Array): Promise<CollateralJson> {
    const platform = await quotedPlatform(quote, this.parts.policy.roots);
    const slot = this.#slot(`${platform.authority} ${platform.fmspc}`);
    const nowMs = this.#now();
    const { held } = slot;
    if (held && nowMs < held.expiresAtMs) {
      if (nowMs >= held.refreshAtMs && nowMs >= slot.retryAtMs) this.#ask(slot, platform, quote).catch(() => undefined);
      return held.json;
    }
    if (slot.asking === null && nowMs < slot.retryAtMs) throw new ServiceFailed(slot.failure);
    return (await this.#ask(slot, platform, quote)).json;
  }

  #ask(slot: Slot, platform: QuotedPlatform, quote: Uint8Array): Promise<Held> {
    return (slot.asking ??= this.#fetch(platform, quote)
      .then((held) => {
        slot.retryAtMs = 0;
        return (slot.held = held);
      })
      .catch((error: unknown) => {
        slot.retryAtMs = this.#now() + RETRY_AFTER_MS;
        slot.failure =
          error instanceof ServiceFailed ? error.message : 'The answer of the collateral service could not be parsed.';
        this.parts.log.warn({ err: error, ...platform }, 'fetching attestation collateral failed');
        throw new ServiceFailed(slot.failure, { cause: error });
      })
      .finally(() => (slot.asking = null)));
  }

  async #fetch(platform: QuotedPlatform, quote: Uint8Array): Promise<Held> {
    const json = await this.parts.fetch(platform);
    const expiresAtMs = collateralExpiryMs(readCollateral(json));
    const nowMs = this.#now();
    if (expiresAtMs <= nowMs) throw new Malformed('The collateral has expired.');
    if (await this.#holds(quote, json, nowMs))
      return { json, refreshAtMs: nowMs + Math.min(REFRESH_AFTER_MS, (expiresAtMs - nowMs) / 2), expiresAtMs };
    this.parts.log.warn(platform, 'attestation collateral failed verification');
    const doubtfulUntilMs = Math.min(expiresAtMs, nowMs + DOUBTFUL_MS);
    return { json, refreshAtMs: doubtfulUntilMs, expiresAtMs: doubtfulUntilMs };
  }

  async #holds(quote: Uint8Array, json: CollateralJson, nowMs: number): Promise<boolean> {
    const list = new CheckList();
    await verifyHardware(
      { quoteBytes: () => quote, collateral: () => readCollateral(json), policy: this.parts.policy, nowMs },
      list,
    );
    return list.checks.every(
      ({ id, outcome }) =>
        outcome === 'passed' || !['certificate-validity', 'revocation', 'tcb-info', 'qe-identity'].includes(id),
    );
  }

  #slot(key: string): Slot {
    const slot = this.#slots.get(key) ?? { held: null, asking: null, retryAtMs: 0, failure: '' };
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    const [oldest] = this.#slots.keys();
    if (this.#slots.size > PLATFORMS_MAX && oldest !== undefined) this.#slots.delete(oldest);
    return slot;
  }

  #now(): number {
    return (this.parts.now ?? Date.now)();
  }
}

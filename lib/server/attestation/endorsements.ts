import type { Logger } from 'pino';
import type { CollateralJson } from '@/lib/protocol/tee/hardware/collateral';
import { Malformed } from '@/lib/protocol/tee/malformed';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { Untrusted } from '@/lib/protocol/tee/x509/chain';
import type { AttestationServices } from '../config/attestation';
import { ServiceFailed } from './bounded-fetch';
import { CollateralCache } from './collateral-cache';
import { fetchCollateral } from './collateral-service';
import { NvidiaService, type NvidiaVerdict } from './nvidia-service';

type Endorsed<T> = { value: T; fault: null } | { value: null; fault: string };

interface EndorsementParts {
  services: AttestationServices;
  policy: AttestationPolicy;
  log: Logger;
  /** Returns Unix milliseconds. */
  now?: () => number;
}

/** Fetches endorsements of an enclave's hardware (RFC 9334): Intel's collateral and NVIDIA's verdicts. */
export class Endorsements {
  readonly #collateral: CollateralCache | null;
  readonly #nvidia: NvidiaService | null;
  readonly #log: Logger;

  constructor({
    services: { pccsUrl, rootCrlUrl, nvidiaUrl, serviceTimeoutMs: timeoutMs },
    policy,
    log,
    now = Date.now,
  }: EndorsementParts) {
    const service = pccsUrl === null || rootCrlUrl === null ? null : { pccsUrl, rootCrlUrl, timeoutMs };
    this.#collateral =
      service && new CollateralCache({ fetch: (platform) => fetchCollateral(service, platform), policy, log, now });
    this.#nvidia = nvidiaUrl === null ? null : new NvidiaService(nvidiaUrl, timeoutMs, now);
    this.#log = log;
  }

  collateralFor(quote: Uint8Array): Promise<Endorsed<CollateralJson>> {
    const cache = this.#collateral;
    return endorsed(cache && (() => cache.collateralFor(quote)), 'No collateral service is configured.');
  }

  async nvidiaVerdictOn(payload: string): Promise<Endorsed<NvidiaVerdict>> {
    const service = this.#nvidia;
    const said = await endorsed(
      service && (() => service.verdictOn(payload)),
      'No GPU attestation service is configured.',
    );
    if (said.fault !== null)
      this.#log.warn({ fault: said.fault }, "NVIDIA returned no verdict on a report's GPU evidence");
    return said;
  }
}

async function endorsed<T>(ask: (() => Promise<T>) | null, none: string): Promise<Endorsed<T>> {
  if (ask === null) return { value: null, fault: none };
  try {
    return { value: await ask(), fault: null };
  } catch (error) {
    if (error instanceof ServiceFailed || error instanceof Malformed || error instanceof Untrusted)
      return { value: null, fault: error.message };
    throw error;
  }
}

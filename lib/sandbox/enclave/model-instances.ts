import { randomBytes } from 'node:crypto';
import { generateMlKemKeyPair, type MlKemKeyPair } from '@/lib/protocol/e2ee/ml-kem/pieces';

export interface ModelInstance {
  id: string;
  keys: MlKemKeyPair;
}

const INSTANCES = 4;
const NONCES_PER_LIST = 10;
/** Lifetime of nonces, slightly longer than the announced 60 s. */
const NONCE_MS = 75_000;
export const NONCE_SECONDS_TOLD = 60;
const NONCES_MAX = 10_000;

/**
 * Changing instances of one model, as Chutes runs them. The oldest instance still attests but is not listed any more.
 * The newest is listed but does not attest yet.
 */
export class ModelInstances {
  #started = 0;
  #instances: readonly ModelInstance[] = this.#start();
  readonly #nonces = new Map<string, { instance: string; untilMs: number }>();

  get attesting(): readonly ModelInstance[] {
    return this.#instances.slice(0, -1);
  }

  get listed(): readonly ModelInstance[] {
    return this.#instances.slice(1);
  }

  find(id: string): ModelInstance | undefined {
    return this.listed.find((instance) => instance.id === id);
  }

  /** Returns nonces for requests to an instance. Each nonce is valid once. */
  giveNonces({ id }: ModelInstance, nowMs: number): string[] {
    for (const [nonce, { untilMs }] of this.#nonces) {
      if (untilMs > nowMs && this.#nonces.size <= NONCES_MAX) break;
      this.#nonces.delete(nonce);
    }
    return Array.from({ length: NONCES_PER_LIST }, () => {
      const nonce = randomBytes(24).toString('base64url');
      this.#nonces.set(nonce, { instance: id, untilMs: nowMs + NONCE_MS });
      return nonce;
    });
  }

  /** Consumes a nonce. @returns whether the nonce belongs to this instance and is still valid */
  takeNonce(nonce: string, instance: string, nowMs: number): boolean {
    const given = this.#nonces.get(nonce);
    if (given?.instance !== instance) return false;
    this.#nonces.delete(nonce);
    return given.untilMs > nowMs;
  }

  /** Replaces all instances, and so invalidates their nonces. */
  rotate(): void {
    this.#instances = this.#start();
  }

  #start(): readonly ModelInstance[] {
    return Array.from({ length: INSTANCES }, () => ({
      id: `instance-${++this.#started}`,
      keys: generateMlKemKeyPair(),
    }));
  }
}

import { randomBytes } from 'node:crypto';
import { generateMlKemKeyPair, type MlKemKeyPair } from '@/lib/protocol/e2ee/ml-kem/pieces';

/** One of several enclaves of a model, with the key that content for it is encrypted to. */
export interface ModelInstance {
  id: string;
  keys: MlKemKeyPair;
}

const INSTANCES = 4;
const NONCES_PER_LIST = 10;
/** How long nonces are taken; a little longer than is said. */
const NONCE_MS = 75_000;
export const NONCE_SECONDS_TOLD = 60;
const NONCES_MAX = 10_000;

/**
 * Instances of one model that come and go, as Chutes has them: of four, the first attests and is not listed any more, and the
 * last is listed and has not attested yet. Their keys are new with every start.
 */
export class ModelInstances {
  #started = 0;
  #instances: readonly ModelInstance[] = this.#start();
  readonly #nonces = new Map<string, { instance: string; untilMs: number }>();

  /** Those that give evidence. */
  get attesting(): readonly ModelInstance[] {
    return this.#instances.slice(0, -1);
  }

  /** Those that are said to take requests. */
  get listed(): readonly ModelInstance[] {
    return this.#instances.slice(1);
  }

  /** The one of this name that takes requests. */
  find(id: string): ModelInstance | undefined {
    return this.listed.find((instance) => instance.id === id);
  }

  /** Nonces for questions to an instance, each to be taken once. */
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

  /** Takes a nonce, once. @returns whether it was given for this instance and is still good */
  takeNonce(nonce: string, instance: string, nowMs: number): boolean {
    const given = this.#nonces.get(nonce);
    if (given?.instance !== instance) return false;
    this.#nonces.delete(nonce);
    return given.untilMs > nowMs;
  }

  /** Others come in the place of all of them. Nonces that were given for those lead nowhere. */
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

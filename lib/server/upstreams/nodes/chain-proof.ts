import { askNode } from './ask-node';
import type { ChainIdentity } from './chain-identity';
import type { NodeHealth } from './node-health';
import type { Upstream } from './upstream';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';

interface ChainProofSettings {
  identity: ChainIdentity;
  slug: string;
  timeoutMs: number;
}

/** Minimum time before calls recheck an upstream that served another chain. */
const WRONG_MS = 5_000;
const SHOWN_LENGTH = 80;

/** Proof that an upstream serves its configured chain. */
export class ChainProof {
  #look: Promise<void> | null = null;
  #lookedAt = -Infinity;
  #failure: UpstreamFailure | null = null;
  #restUntil = 0;

  constructor(
    private readonly upstream: Upstream,
    private readonly health: NodeHealth,
    private readonly settings: ChainProofSettings,
    private readonly onChange: (state: 'right' | 'wrong', before: NodeHealth['chain']) => void,
  ) {
    health.chain = 'unproved';
  }

  get failure(): UpstreamFailure {
    return this.#failure ?? new UpstreamFailure('connection', 'its chain is not known yet');
  }

  /**
   * Checks the upstream's chain, and sets `health.chain`. Concurrent callers share the check. Skips an upstream that
   * was just found on another chain or that asked for a pause. Never throws.
   */
  look(): Promise<void> {
    const now = performance.now();
    if (now < this.#restUntil || (this.health.chain === 'wrong' && now - this.#lookedAt < WRONG_MS))
      return Promise.resolve();
    return this.lookAgain();
  }

  lookAgain(): Promise<void> {
    return (this.#look ??= this.#ask().finally(() => (this.#look = null)));
  }

  async #ask(): Promise<void> {
    const { identity, slug, timeoutMs } = this.settings;
    try {
      const found = await askNode(this.upstream, identity.request, timeoutMs);
      if (typeof found !== 'string' && typeof found !== 'number')
        throw new Error(`its answer to ${identity.request.method} is not a chain id`);
      this.#lookedAt = performance.now();
      if (identity.matches(found)) return this.#settle('right', null);
      const sentence = `it serves another chain: its ${identity.request.method} is ${String(found).slice(0, SHOWN_LENGTH)}, but ${slug} has ${identity.expected}`;
      this.#settle('wrong', new UpstreamFailure('wrong-chain', sentence));
    } catch (error) {
      // A failed check does not revoke an earlier verdict.
      if (this.health.chain === 'unproved')
        this.#failed(
          isUpstreamFailure(error)
            ? error
            : new UpstreamFailure('not-json', error instanceof Error ? error.message : 'asking for its chain failed'),
        );
    }
  }

  #settle(state: 'right' | 'wrong', failure: UpstreamFailure | null): void {
    const before = this.health.chain;
    this.health.chain = state;
    this.#failure = failure;
    if (failure) this.health.lastError = { message: failure.message, at: Date.now() };
    if (before !== state) this.onChange(state, before);
  }

  #failed(failure: UpstreamFailure): void {
    this.#failure = failure;
    this.health.lastError = { message: failure.message, at: Date.now() };
    if (failure.facts.retryAfterMs !== undefined) this.#restUntil = performance.now() + failure.facts.retryAfterMs;
  }
}

/** Waits until one node has proved its chain or all checks have ended. Never throws. */
export function whenOneIsProved(nodes: readonly { health: NodeHealth; proof: ChainProof | null }[]): Promise<void> {
  return new Promise((resolve) => {
    const looks = nodes.map(async ({ health, proof }) => {
      await proof?.look();
      if (health.servesChain) resolve();
    });
    void Promise.all(looks).then(() => resolve());
  });
}

import { askNode } from './ask-node';
import type { ChainIdentity } from './chain-identity';
import type { NodeHealth } from './node-health';
import type { Upstream } from './upstream';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';

/** What a network's upstreams must prove, and how they are asked. */
export interface ChainProofSettings {
  identity: ChainIdentity;
  /** The network, for people. */
  slug: string;
  timeoutMs: number;
}

/** An upstream that was found on another chain is asked again by callers no sooner than after this. */
const WRONG_MS = 5_000;
const SHOWN_LENGTH = 80;

/** The proof of one upstream that it serves the chain that it is configured for. */
export class ChainProof {
  #look: Promise<void> | null = null;
  #lookedAt = -Infinity;
  /** Why it is not proved. */
  #failure: UpstreamFailure | null = null;
  #restUntil = 0;

  /** @param onChange hears when it turns out to be another chain, or the right one after all. */
  constructor(
    private readonly upstream: Upstream,
    private readonly health: NodeHealth,
    private readonly settings: ChainProofSettings,
    private readonly onChange: (state: 'right' | 'wrong', before: NodeHealth['chain']) => void,
  ) {
    health.chain = 'unproved';
  }

  /** What kept it from being proved at the last look. */
  get failure(): UpstreamFailure {
    return this.#failure ?? new UpstreamFailure('connection', 'it has not said yet which chain it serves');
  }

  /**
   * Looks which chain it serves; all who ask at the same time share one look. One that was just found on another chain,
   * or asked to be left alone, is not asked again. Never throws: `health.chain` has what came of it.
   */
  look(): Promise<void> {
    const now = performance.now();
    if (now < this.#restUntil || (this.health.chain === 'wrong' && now - this.#lookedAt < WRONG_MS))
      return Promise.resolve();
    return this.lookAgain();
  }

  /** The same whatever was found before, as health checks do. */
  lookAgain(): Promise<void> {
    return (this.#look ??= this.#ask().finally(() => (this.#look = null)));
  }

  async #ask(): Promise<void> {
    const { identity, slug, timeoutMs } = this.settings;
    try {
      const found = await askNode(this.upstream, identity.request, timeoutMs);
      if (typeof found !== 'string' && typeof found !== 'number')
        throw new Error(`its answer to ${identity.request.method} is no id of a chain`);
      this.#lookedAt = performance.now();
      if (identity.matches(found)) return this.#settle('right', null);
      const sentence = `it serves another chain: ${identity.request.method} is ${String(found).slice(0, SHOWN_LENGTH)}, and of ${slug} ${identity.expected}`;
      this.#settle('wrong', new UpstreamFailure('wrong-chain', sentence));
    } catch (error) {
      // A chain that was proved, or found to be another, is not forgotten because the node is silent now.
      if (this.health.chain === 'unproved')
        this.#failed(
          isUpstreamFailure(error)
            ? error
            : new UpstreamFailure(
                'not-json',
                error instanceof Error ? error.message : 'its chain could not be asked for',
              ),
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

/** Waits until one of these has proved its chain, or none of them is asked any more. Never throws. */
export function whenOneIsProved(nodes: readonly { health: NodeHealth; proof: ChainProof | null }[]): Promise<void> {
  return new Promise((resolve) => {
    const looks = nodes.map(async ({ health, proof }) => {
      await proof?.look();
      if (health.servesChain) resolve();
    });
    void Promise.all(looks).then(() => resolve());
  });
}

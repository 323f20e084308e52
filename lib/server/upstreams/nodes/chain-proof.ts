import { CHAIN_IDENTITIES } from '@/lib/protocol/chain-identities';
import type { Network } from '@/lib/protocol/networks';
import { askNode } from './ask-node';
import type { NodeHealth } from './node-health';
import type { Upstream } from './upstream';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';

export interface ChainIdentity {
  request: { method: string; params: string };
  expected: string;
  matches(found: string | number): boolean;
}

const METHODS: Readonly<Record<Network['kind'], string>> = {
  evm: 'eth_chainId',
  solana: 'getGenesisHash',
  starknet: 'starknet_chainId',
};

/**
 * Returns the identity that a network's upstreams must confirm; null if the identity is unknown or the check is off.
 * @param configured the network's configured `chainIdentity`, which replaces the built-in identity; false to skip the
 * check
 */
export function chainIdentityOf(
  { slug, kind, chainId }: Network,
  configured: string | false | undefined,
): ChainIdentity | null {
  if (configured === false) return null;
  const identity = configured ?? CHAIN_IDENTITIES[slug] ?? (chainId === null ? null : String(chainId));
  if (identity === null) return null;
  const request = { method: METHODS[kind], params: '[]' };
  if (kind === 'solana') return { request, expected: identity, matches: (found) => found === identity };
  const number = numberOf(identity);
  return {
    request,
    expected: kind === 'evm' && number !== null ? `0x${number.toString(16)}` : identity,
    matches: (found) => number !== null && numberOf(found) === number,
  };
}

/** Parses an id for comparison, because some nodes write hex with leading zeros. */
function numberOf(text: string | number): bigint | null {
  try {
    return BigInt(text);
  } catch {
    return null;
  }
}

interface ChainProofSettings {
  identity: ChainIdentity;
  slug: string;
  timeoutMs: number;
}

/** Minimum time between checks of an upstream that served a different chain. */
const WRONG_MS = 5_000;
const SHOWN_LENGTH = 80;

/** Proves that an upstream serves its configured chain. */
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
   * Checks the upstream's chain, and sets `health.chain`. Concurrent callers share the check. Does nothing if the
   * upstream was just found to serve a different chain, or if it asked for a pause. Never throws.
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
      // A check that failed does not revoke an earlier result.
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

/** Waits until a node has proved its chain, or until all checks have ended. Never throws. */
export function whenOneIsProved(nodes: readonly { health: NodeHealth; proof: ChainProof | null }[]): Promise<void> {
  return new Promise((resolve) => {
    const looks = nodes.map(async ({ health, proof }) => {
      await proof?.look();
      if (health.servesChain) resolve();
    });
    void Promise.all(looks).then(() => resolve());
  });
}

import type { ChainKind } from '@/lib/protocol/networks';
import type { Backend } from '../upstreams/nodes/backend';
import type { UpstreamNode } from '../upstreams/nodes/upstream-node';

/** `unknown`: neither asked nor checked yet. `failing`: cut off by a breaker, or its health checks fail. `wrongChain`: it serves another chain, and is never asked. */
export type UpstreamState = 'healthy' | 'wrongChain' | 'lagging' | 'resting' | 'failing' | 'unknown';

export interface UpstreamHealth {
  /** `upstream 1` in the order of the configuration. */
  name: string;
  state: UpstreamState;
  /** Median of the last 64 answers, in milliseconds with one decimal. */
  latencyP50Ms: number | null;
  /** Newest block, on Solana slot, that it reported. */
  height: number | null;
  lagBlocks: number | null;
  /** The last failure, and when, as ISO 8601. */
  lastError: { message: string; at: string } | null;
  /** When it was last checked, as ISO 8601. */
  checkedAt: string | null;
}

export interface NetworkHealth {
  network: string;
  name: string;
  kind: ChainKind;
  finalizedHeight: number | null;
  upstreams: UpstreamHealth[];
}

/** How a network's upstreams do, for people: nothing of their URLs. */
export function networkHealthOf({ network, finalizedHeight, pool }: Backend): NetworkHealth {
  return {
    network: network.slug,
    name: network.name,
    kind: network.kind,
    finalizedHeight,
    upstreams: pool.nodes.map(describe),
  };
}

function describe(node: UpstreamNode): UpstreamHealth {
  const { health } = node;
  const p50 = node.latencies.quantile(0.5);
  return {
    name: node.name,
    state: stateOf(node),
    latencyP50Ms: p50 === null ? null : Math.round(p50 * 10) / 10,
    height: health.height,
    lagBlocks: health.lagBlocks,
    lastError: health.lastError && { message: health.lastError.message, at: new Date(health.lastError.at).toISOString() },
    checkedAt: health.checkedAt === null ? null : new Date(health.checkedAt).toISOString(),
  };
}

function stateOf(node: UpstreamNode): UpstreamState {
  if (node.health.chain === 'wrong') return 'wrongChain';
  if (node.health.isFailing || node.isCutOff) return 'failing';
  if (node.restsFor(performance.now()) > 0) return 'resting';
  if (node.health.isLagging) return 'lagging';
  return node.latencies.count > 0 ? 'healthy' : 'unknown';
}

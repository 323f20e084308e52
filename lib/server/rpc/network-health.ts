import type { ChainKind } from '@/lib/protocol/networks';
import type { AgreedReads } from '../upstreams/nodes/agreement/agreed-reads';
import type { Backend } from '../upstreams/nodes/backend';
import { CHAIN_DATA, type ChainData } from '../upstreams/nodes/block-reference';
import type { UpstreamNode } from '../upstreams/nodes/upstream-node';

const METHODS_SHOWN_MAX = 40;

/** `unknown`: neither asked nor checked yet. `failing`: cut off by a breaker, or its health checks fail. `wrongChain`: it serves another chain, and is never asked. */
export type UpstreamState = 'healthy' | 'wrongChain' | 'lagging' | 'resting' | 'failing' | 'unknown';

/** What an upstream was found not to serve, and how often it was outvoted. */
export interface UpstreamLimits {
  /** First block of which it has state, history and traces, where older ones are known to be missing. */
  prunedBelow: Partial<Record<ChainData, number>>;
  /** Most blocks of a range that it serves; null where no limit is known. */
  rangeBlocksMax: number | null;
  /** Most items of a batch that it serves; 1 for no batches, null where no limit is known. */
  batchItemsMax: number | null;
  /** Methods that it was found not to serve. */
  missingMethods: string[];
  /** How often as many others as must agree gave another answer. */
  outvoted: number;
}

export interface UpstreamHealth {
  /** `upstream 1` in the order of the configuration. */
  name: string;
  state: UpstreamState;
  /** Median of the last 64 answers, in milliseconds with one decimal. */
  latencyP50Ms: number | null;
  /** Newest block, on Solana slot, that it reported. */
  height: number | null;
  lagBlocks: number | null;
  limits: UpstreamLimits;
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
  /** How many upstreams must agree of how many that are asked, and how often they differed; null for networks without agreement. */
  agreement: { agreeing: number; nodes: number; outvoted: number; unresolved: number } | null;
  upstreams: UpstreamHealth[];
}

/** How a network's upstreams do, for people: nothing of their URLs. */
export function networkHealthOf({ network, finalizedHeight, pool, agreed }: Backend): NetworkHealth {
  return {
    network: network.slug,
    name: network.name,
    kind: network.kind,
    finalizedHeight,
    agreement: agreed && { agreeing: agreed.settings.agreeing, nodes: agreed.settings.nodes, ...agreed.disagreements },
    upstreams: pool.nodes.map((node) => describe(node, agreed)),
  };
}

function describe(node: UpstreamNode, agreed: AgreedReads | null): UpstreamHealth {
  const { health } = node;
  const p50 = node.latencies.quantile(0.5);
  return {
    name: node.name,
    state: stateOf(node),
    latencyP50Ms: p50 === null ? null : Math.round(p50 * 10) / 10,
    height: health.height,
    lagBlocks: health.lagBlocks,
    limits: limitsOf(node, agreed),
    lastError: health.lastError && {
      message: health.lastError.message,
      at: new Date(health.lastError.at).toISOString(),
    },
    checkedAt: health.checkedAt === null ? null : new Date(health.checkedAt).toISOString(),
  };
}

function limitsOf(node: UpstreamNode, agreed: AgreedReads | null): UpstreamLimits {
  const { capabilities } = node;
  const now = performance.now();
  const pruned = CHAIN_DATA.map((data) => [data, capabilities?.prunedBelow(data, now) ?? null] as const);
  return {
    prunedBelow: Object.fromEntries(pruned.filter(([, height]) => height !== null)),
    rangeBlocksMax: capabilities?.rangeBlocksMax(now) ?? null,
    batchItemsMax: node.batchItemsMax(now),
    missingMethods: (capabilities?.missingMethods(now) ?? []).slice(0, METHODS_SHOWN_MAX),
    outvoted: agreed?.outvotedOf(node) ?? 0,
  };
}

function stateOf(node: UpstreamNode): UpstreamState {
  if (node.health.chain === 'wrong') return 'wrongChain';
  if (node.health.isFailing || node.isCutOff) return 'failing';
  if (node.restsFor(performance.now()) > 0) return 'resting';
  if (node.health.isLagging) return 'lagging';
  return node.latencies.count > 0 ? 'healthy' : 'unknown';
}

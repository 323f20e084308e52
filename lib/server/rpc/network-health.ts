import type { ChainKind } from '@/lib/protocol/networks';
import type { ReadinessConfig } from '../config/readiness';
import type { AgreedReads } from '../upstreams/nodes/agreement/agreed-reads';
import type { Backend } from '../upstreams/nodes/backend';
import { CHAIN_DATA, type ChainData } from '../upstreams/nodes/block-reference';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import type { UpstreamNode } from '../upstreams/nodes/upstream-node';

const METHODS_SHOWN_MAX = 40;

/**
 * State of an upstream. `unknown`: it has not answered yet. `resting`: it is paused after a rate limit or used-up
 * credits. `failing`: its circuit breaker is open or its health checks fail. `wrongChain`: it serves a different chain
 * and is never asked.
 */
type UpstreamState = 'healthy' | 'wrongChain' | 'lagging' | 'resting' | 'failing' | 'unknown';

interface UpstreamLimits {
  /**
   * First block whose data the upstream has, by kind of data (state, history, traces). Contains only kinds whose older
   * data is known to be missing.
   */
  prunedBelow: Partial<Record<ChainData, number>>;
  /** Maximum blocks in a range; null if no limit is known. */
  rangeBlocksMax: number | null;
  /** Maximum items in a batch: 1 if the upstream refuses arrays, null if no limit is known. */
  batchItemsMax: number | null;
  missingMethods: string[];
  /** Number of the upstream's answers that a majority of other upstreams contradicted. */
  outvoted: number;
}

interface UpstreamHealth {
  /** Name of the upstream: `upstream 1`, `upstream 2` and so on, in the order of the configuration. */
  name: string;
  state: UpstreamState;
  /** Median latency of the last 64 answers, with one decimal. */
  latencyP50Ms: number | null;
  /** Newest block, or newest slot on Solana, that the upstream reported. */
  height: number | null;
  lagBlocks: number | null;
  limits: UpstreamLimits;
  /** `at` is in ISO 8601. */
  lastError: { message: string; at: string } | null;
  checkedAt: string | null;
}

interface NetworkHealth {
  network: string;
  name: string;
  kind: ChainKind;
  finalizedHeight: number | null;
  /** Required agreement and counted disagreements; null for networks that need no agreement. */
  agreement: { agreeing: number; nodes: number; outvoted: number; unresolved: number } | null;
  upstreams: UpstreamHealth[];
}

/** Returns the state of a network's upstreams for the operator, without their URLs. */
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

/** `unknown`: no upstream was asked or checked yet. */
type Availability = 'available' | 'unavailable' | 'unknown';

/**
 * Returns one sentence for each network that makes the gateway unready under the operator's policy. Starts health
 * checks of these networks. Otherwise an unready gateway, which gets no calls, would not notice a recovery. Stand-ins
 * count as available, because they start at their first call.
 */
export function unreadyNetworks(networks: RpcNetworks, policy: ReadinessConfig['networks']): string[] {
  if (policy === 'none') return [];
  const slugs = Array.isArray(policy) ? policy : networks.backends().map(({ network }) => network.slug);
  const reasons = slugs.flatMap((slug) => reasonOf(slug, networks) ?? []);
  if (policy !== 'any') return reasons;
  return reasons.length < slugs.length || slugs.length === 0 ? [] : ['No network has an upstream that can be asked.'];
}

function reasonOf(slug: string, networks: RpcNetworks): string | null {
  const found = networks.find(slug);
  if (!found?.backend) return `No upstream is configured for ${slug}, which readiness.networks lists.`;
  if (found.standIn) return null;
  const availability = availabilityOf(found.backend, networks.areChecked);
  if (availability === 'available') return null;
  found.backend.pool.watchedAt = performance.now();
  return availability === 'unknown'
    ? `The upstreams of ${slug} have not been checked yet.`
    : `No upstream of ${slug} can be asked.`;
}

function availabilityOf({ pool }: Backend, areChecked: boolean): Availability {
  const now = performance.now();
  let isUnknown = false;
  for (const node of pool.nodes) {
    if (node.health.isFailing || !node.isConnectable(now)) continue;
    const isKnown = node.health.servesChain && (node.health.checkedAt !== null || node.latencies.count > 0);
    if (isKnown || !areChecked) return 'available';
    isUnknown = true;
  }
  return isUnknown ? 'unknown' : 'unavailable';
}

import { UPSTREAM_STATES, type UpstreamHealth, type UpstreamState } from '@/lib/client';
import type { GatewayFigures } from '@/lib/protocol/gateway-figures';

type Upstream = GatewayFigures['networks'][number]['upstreams'][number];

export type ListedUpstream = Omit<UpstreamHealth, 'height' | 'checkedAtMs'> & { network: string };

/** Display order; states that need attention come first. */
const ORDER: readonly UpstreamState[] = ['wrongChain', 'failing', 'resting', 'lagging', 'healthy', 'unknown'];

/** Returns the upstreams of used networks, unhealthy ones first, and the unused networks. */
export function upstreamsByUse(networks: GatewayFigures['networks']): { used: ListedUpstream[]; unused: string[] } {
  const listed = networks.map(({ network, upstreams }) => upstreams.map((upstream) => listedOf(network, upstream)));
  const isUsed = (upstreams: readonly ListedUpstream[]): boolean => upstreams.some(({ state }) => state !== 'unknown');
  const used = listed.filter(isUsed).flat();
  return {
    used: used.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)),
    unused: networks
      .filter(({ upstreams }, index) => upstreams.length > 0 && !isUsed(listed[index] ?? []))
      .map(({ network }) => network),
  };
}

function listedOf(network: string, upstream: Upstream): ListedUpstream {
  const { name, latencyP50Ms, lagBlocks, lastError } = upstream;
  return {
    network,
    name,
    state: stateOf(upstream),
    latencyP50Ms,
    lagBlocks,
    lastError: lastError && { message: lastError.message, atMs: Date.parse(lastError.at) },
  };
}

function stateOf({ state }: Upstream): UpstreamState {
  return UPSTREAM_STATES.find((known) => known === state) ?? 'unknown';
}

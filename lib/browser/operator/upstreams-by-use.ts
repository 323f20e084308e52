import { UPSTREAM_STATES, type UpstreamHealth, type UpstreamState } from '@/lib/client';
import type { GatewayFigures } from '@/lib/protocol/gateway-figures';

type Upstream = GatewayFigures['networks'][number]['upstreams'][number];

/** An upstream with its network, as the console shows the health of one. */
export type ListedUpstream = Omit<UpstreamHealth, 'height'> & { network: string };

/** What has to be looked at comes first. */
const ORDER: readonly UpstreamState[] = ['wrongChain', 'failing', 'resting', 'lagging', 'healthy', 'unknown'];

/** Upstreams of networks that were asked, those in trouble first; and the networks that nobody has used yet. */
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

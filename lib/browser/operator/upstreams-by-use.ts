import { UPSTREAM_STATES, type UpstreamState } from '@/lib/client';
import type { GatewayFigures } from '@/lib/protocol/gateway-figures';

type Upstream = GatewayFigures['networks'][number]['upstreams'][number];

/** An upstream of a network, as the console shows its state. */
export interface ListedUpstream extends Omit<Upstream, 'state'> {
  network: string;
  state: UpstreamState;
}

/** What has to be looked at comes first. */
const ORDER: readonly UpstreamState[] = ['wrongChain', 'failing', 'resting', 'lagging', 'healthy', 'unknown'];

/** Upstreams of networks that were asked, those in trouble first; and the networks that nobody has used yet. */
export function upstreamsByUse(networks: GatewayFigures['networks']): { used: ListedUpstream[]; unused: string[] } {
  const listed = networks.map(({ network, upstreams }) => upstreams.map((upstream): ListedUpstream => ({ ...upstream, network, state: stateOf(upstream) })));
  const isUsed = (upstreams: readonly ListedUpstream[]): boolean => upstreams.some(({ state }) => state !== 'unknown');
  const used = listed.filter(isUsed).flat();
  return {
    used: used.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)),
    unused: networks.filter(({ upstreams }, index) => upstreams.length > 0 && !isUsed(listed[index] ?? [])).map(({ network }) => network),
  };
}

function stateOf({ state }: Upstream): UpstreamState {
  return UPSTREAM_STATES.find((known) => known === state) ?? 'unknown';
}

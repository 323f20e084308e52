import type { GatewayFigures } from '@/lib/protocol/gateway-figures';
import type { OpenCalls } from '../billing/open-calls';
import type { Drain } from '../http/drain-server';
import { networkHealthOf } from '../rpc/network-health';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import type { RequestMetrics } from './request-metrics';

export interface FigureParts {
  startedAt: number;
  drain: Pick<Drain, 'isDraining'>;
  openCalls: Pick<OpenCalls, 'count'>;
  /** Returns the request counts, which exist only once all endpoints are known. */
  requests: () => Pick<RequestMetrics, 'refusals' | 'traffic'>;
  networks: Pick<RpcNetworks, 'backends'>;
}

/** Returns figures for the operator, without URLs, keys, wallets or accounts. Does not read the database. */
export function gatewayFigures({ startedAt, drain, openCalls, requests, networks }: FigureParts): GatewayFigures {
  return {
    startedAt: new Date(startedAt).toISOString(),
    isDraining: drain.isDraining,
    openCalls: openCalls.count,
    traffic: requests().traffic(),
    refusals: Object.fromEntries(requests().refusals()),
    networks: networks.backends().map((backend) => {
      const { network, upstreams } = networkHealthOf(backend);
      return {
        network,
        upstreams: upstreams.map(({ name, state, latencyP50Ms, lagBlocks, lastError }) => ({
          name,
          state,
          latencyP50Ms,
          lagBlocks,
          lastError,
        })),
      };
    }),
  };
}

import { parseUsd } from '@/lib/protocol/parse-usd';
import { measureNetworks } from '../../rpc/network-metrics';
import { RpcNetworks } from '../../upstreams/nodes/networks';
import { networkHealth } from '../crypto/rpc/health';
import { rpcNetworks } from '../crypto/rpc/networks';
import { rpcProxy } from '../crypto/rpc/proxy';
import type { Capability, Ground } from './capability';

/** Opens the networks with their nodes, and the JSON-RPC proxy. @param standIns slugs of simulated networks */
export function openRpc({ config, log, memory, metrics }: Ground, standIns: ReadonlySet<string> | undefined) {
  const networks = new RpcNetworks(config, standIns, log, memory);
  measureNetworks(metrics, networks);
  return {
    networks,
    endpoints: ({ config: { rpc, pricePerCreditUsd }, paidCalls, addressLimiter, consoleLimiter }) => [
      rpcProxy({
        paidCalls,
        networks,
        pricePerCreditNanoUsd: parseUsd(pricePerCreditUsd),
        requestBytesMax: rpc.requestBytesMax,
        log,
      }),
      rpcNetworks({ networks, addressLimiter }),
      networkHealth({ networks, consoleLimiter }),
    ],
    reload: (next) => networks.prepare(next, standIns),
    close: () => networks.close(),
  } satisfies Capability & { networks: RpcNetworks };
}

import { findNetwork, furtherNetwork, type Network, NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import type { Config } from '../config/load';
import { Upstream } from './upstream';

/** A network that the proxy lists, and the node it is served from, if one is configured. */
export interface RpcNetwork {
  network: Network;
  upstream: Upstream | null;
  /** Served by a local stand-in, which wallets may use without a credential. */
  standIn: boolean;
}

/** The networks of this gateway: the 25 of the specification, and those that the operator configured. */
export class RpcNetworks {
  /** Sorted. */
  readonly slugs: readonly string[];
  /** Methods that the operator allows beyond the built-in list. */
  readonly extraMethods: ReadonlyMap<string, RpcMethod>;
  readonly #bySlug: ReadonlyMap<string, RpcNetwork>;

  constructor({ networks, rpc }: Pick<Config, 'networks' | 'rpc'>, standIns: ReadonlySet<string> = new Set()) {
    const bySlug = new Map<string, RpcNetwork>();
    for (const slug of new Set([...NETWORKS.map((network) => network.slug), ...Object.keys(networks)])) {
      const [first] = networks[slug]?.upstreams ?? [];
      const upstream = first
        ? new Upstream(first, {
            connections: rpc.connectionsPerUpstream,
            connectTimeoutMs: rpc.connectTimeoutMs,
            timeoutMs: rpc.timeoutMs,
            answerBytesMax: rpc.answerBytesMax,
          })
        : null;
      bySlug.set(slug, { network: describe(slug, networks[slug]), upstream, standIn: standIns.has(slug) });
    }
    this.#bySlug = bySlug;
    this.slugs = [...bySlug.keys()].sort();
    this.extraMethods = new Map(rpc.extraMethods.map((method) => [method.name, { ...method, family: 'extra' }]));
  }

  find(slug: string): RpcNetwork | undefined {
    return this.#bySlug.get(slug);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#bySlug.values()].map(({ upstream }) => upstream?.close()));
  }
}

function describe(slug: string, settings: Config['networks'][string] | undefined): Network {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? furtherNetwork(slug, settings);
}

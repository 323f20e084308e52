import type { Logger } from 'pino';
import { findNetwork, furtherNetwork, type Network, NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import type { Config, UpstreamConfig } from '../../config/load';
import { Backend } from './backend';
import { HealthSchedule } from './health-schedule';
import { ImmutableCache } from './immutable-cache';
import { Upstream } from './upstream';
import { UpstreamNode } from './upstream-node';
import { UpstreamPool } from './upstream-pool';

/** A network that the proxy lists, and what serves it, if an upstream is configured. */
export interface RpcNetwork {
  network: Network;
  backend: Backend | null;
  /** Served by a local stand-in, which wallets may use without a credential. */
  standIn: boolean;
}

type Settings = Pick<Config, 'networks' | 'rpc'>;

const FAILURES_IN_ROW = 5;
const OPEN_MS = 1_000;
const OPEN_MS_MAX = 30_000;
/** Where there is no other upstream, callers wait for nothing else. */
const SOLE_OPEN_MS_MAX = 2_000;
const HEALTH_CHECK_MS = 5_000;
/** Slots pass this much faster than the blocks of other chains. */
const SOLANA_LAG_FACTOR = 10;

/** The networks of this gateway: the 25 of the specification, and those that the operator configured. */
export class RpcNetworks {
  /** Sorted. */
  readonly slugs: readonly string[];
  /** Methods that the operator allows beyond the built-in list. */
  readonly extraMethods: ReadonlyMap<string, RpcMethod>;
  readonly #bySlug: ReadonlyMap<string, RpcNetwork>;
  readonly #schedule: HealthSchedule;

  constructor(settings: Settings, standIns: ReadonlySet<string> = new Set(), log: Logger | null = null) {
    const { networks, rpc } = settings;
    const cache = new ImmutableCache(rpc.cacheBytesMax);
    const bySlug = new Map<string, RpcNetwork>();
    for (const slug of new Set([...NETWORKS.map((network) => network.slug), ...Object.keys(networks)])) {
      const network = describe(slug, networks[slug]);
      const pool = poolOf(network, networks[slug]?.upstreams ?? [], rpc, log);
      bySlug.set(slug, { network, backend: pool && new Backend(network, pool, cache), standIn: standIns.has(slug) });
    }
    this.#bySlug = bySlug;
    this.slugs = [...bySlug.keys()].sort();
    this.extraMethods = new Map(rpc.extraMethods.map((method) => [method.name, { ...method, family: 'extra' }]));
    const { intervalMs, finalityDepth, lagBlocksMax } = rpc.healthChecks;
    this.#schedule = new HealthSchedule(
      this.backends(),
      {
        intervalMs,
        finalityDepth,
        timeoutMs: Math.min(HEALTH_CHECK_MS, rpc.attemptTimeoutMs, rpc.timeoutMs),
        lagBlocksMaxOf: ({ network }) => networks[network.slug]?.lagBlocksMax ?? lagBlocksMax * (network.kind === 'solana' ? SOLANA_LAG_FACTOR : 1),
      },
      log,
    );
  }

  find(slug: string): RpcNetwork | undefined {
    return this.#bySlug.get(slug);
  }

  /** Of the networks that have an upstream, in the order of their slugs. */
  backends(): Backend[] {
    return this.slugs.flatMap((slug) => this.#bySlug.get(slug)?.backend ?? []);
  }

  async close(): Promise<void> {
    this.#schedule.stop();
    await Promise.all(this.backends().flatMap(({ pool }) => pool.nodes.map(({ upstream }) => upstream.close())));
  }
}

function poolOf({ slug }: Network, upstreams: readonly UpstreamConfig[], rpc: Settings['rpc'], log: Logger | null): UpstreamPool | null {
  if (upstreams.length === 0) return null;
  const alone = upstreams.length === 1;
  const breaker = { failuresInRow: FAILURES_IN_ROW, openMs: OPEN_MS, openMsMax: alone ? SOLE_OPEN_MS_MAX : OPEN_MS_MAX };
  const options = { connections: rpc.connectionsPerUpstream, connectTimeoutMs: rpc.connectTimeoutMs, answerBytesMax: rpc.answerBytesMax };
  const onTrouble = ({ name }: UpstreamNode, trouble: string): void => log?.warn({ network: slug }, `${name} of ${slug}: ${trouble}`);
  const nodes = upstreams.map((upstream, index) => new UpstreamNode(`upstream ${index + 1}`, new Upstream(upstream, options), alone, breaker, onTrouble));
  return new UpstreamPool(nodes, rpc);
}

function describe(slug: string, settings: Config['networks'][string] | undefined): Network {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? furtherNetwork(slug, settings);
}

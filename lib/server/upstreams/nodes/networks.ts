import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { furtherNetwork } from '@/lib/protocol/further-network';
import { findNetwork, type Network, NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import type { Config, UpstreamConfig } from '../../config/load';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import type { AgreementSettings } from './agreement/agreement-round';
import { askNode } from './ask-node';
import { Backend } from './backend';
import { type ChainIdentity, chainIdentityOf, ChainProof } from './chain-proof';
import { headRequest, heightIn } from './head-height';
import { HealthSchedule } from './health-check';
import { ImmutableCache } from './immutable-answers';
import { NodeHeads } from './node-heads';
import { Upstream } from './upstream';
import { UpstreamNode, type UpstreamTrouble } from './upstream-node';
import { UpstreamPool } from './upstream-pool';

/** Listed network. It has a backend if an upstream is configured. */
export interface RpcNetwork {
  network: Network;
  backend: Backend | null;
  /** True if a local stand-in serves the network. Wallets may then use it without a credential. */
  standIn: boolean;
  /** Returns the factor for a method's price. It exceeds 1 only if several upstreams are asked. */
  priceFactorOf: (method: string) => number;
}

type Settings = Pick<Config, 'networks' | 'rpc'>;

const FAILURES_IN_ROW = 5;
const OPEN_MS = 1_000;
const OPEN_MS_MAX = 30_000;
const SOLE_OPEN_MS_MAX = 2_000;
const HEALTH_CHECK_MS = 5_000;
const HEAD_MS = 500;
const SOLANA_LAG_FACTOR = 10;

/** Built-in and configured networks of this gateway. */
export class RpcNetworks {
  #generation: Generation;
  readonly #retired = new Map<Backend, NodeJS.Timeout>();

  constructor(
    settings: Settings,
    standIns: ReadonlySet<string> = new Set(),
    private readonly log: Logger | null = null,
    private readonly memory: HeldMemory | null = null,
  ) {
    this.#generation = this.#made(settings, standIns, null);
  }

  get slugs(): readonly string[] {
    return this.#generation.slugs;
  }

  /** Methods that the operator allows in addition to the built-in list. */
  get extraMethods(): ReadonlyMap<string, RpcMethod> {
    return this.#generation.extraMethods;
  }

  get areChecked(): boolean {
    return this.#generation.rpc.healthChecks.intervalMs > 0;
  }

  /**
   * Prepares new settings. Returns a function that applies them to new calls. A network with unchanged settings keeps
   * its upstreams and their state. Running calls keep their old upstreams.
   */
  prepare(settings: Settings, standIns: ReadonlySet<string> = new Set()): () => void {
    const next = this.#made(settings, standIns, this.#generation);
    return () => this.#take(next);
  }

  #take(next: Generation): void {
    const before = this.#generation;
    before.schedule.stop();
    this.#generation = next;
    const kept = new Set(this.backends());
    const ended = [...before.bySlug.values()].flatMap(({ backend }) => (backend && !kept.has(backend) ? backend : []));
    for (const backend of ended)
      this.#retired.set(
        backend,
        setTimeout(() => void this.#close(backend), before.rpc.timeoutMs + RETIRED_MARGIN_MS).unref(),
      );
  }

  #made({ networks, rpc }: Settings, standIns: ReadonlySet<string>, before: Generation | null): Generation {
    const { log, memory } = this;
    const isSameRpc = before !== null && isDeepStrictEqual(before.rpc, rpc);
    const cache = isSameRpc ? before.cache : new ImmutableCache(rpc.cacheBytesMax, (bytes) => memory?.exempt(bytes));
    const bySlug = new Map<string, RpcNetwork>();
    const marks = new Map<string, string>();
    for (const slug of new Set([...NETWORKS.map((network) => network.slug), ...Object.keys(networks)])) {
      const network = describe(slug, networks[slug]);
      const standIn = standIns.has(slug);
      // Stand-ins have their own genesis block, so their identity is not checked.
      const identity = standIn ? null : chainIdentityOf(network, networks[slug]?.chainIdentity);
      const mark = markOf(network, networks[slug], standIn);
      marks.set(slug, mark);
      const same = isSameRpc && before.marks.get(slug) === mark ? before.bySlug.get(slug) : undefined;
      bySlug.set(slug, same ?? networkOf(network, networks[slug], standIn, { rpc, cache, identity, memory, log }));
    }
    const slugs = [...bySlug.keys()].sort();
    const { intervalMs, finalityDepth, lagBlocksMax } = rpc.healthChecks;
    const schedule = new HealthSchedule(
      slugs.flatMap((slug) => bySlug.get(slug)?.backend ?? []),
      {
        intervalMs,
        finalityDepth,
        timeoutMs: checkTimeoutMs(rpc),
        isCheckedAtOnce: ({ network }) => !standIns.has(network.slug),
        lagBlocksMaxOf: ({ network }) =>
          networks[network.slug]?.lagBlocksMax ?? lagBlocksMax * (network.kind === 'solana' ? SOLANA_LAG_FACTOR : 1),
      },
      log,
    );
    return {
      slugs,
      extraMethods: new Map(rpc.extraMethods.map((method) => [method.name, { ...method, family: 'extra' }])),
      bySlug,
      marks,
      rpc,
      cache,
      schedule,
    };
  }

  described(): Network[] {
    return Array.from(this.#generation.bySlug.values(), ({ network }) => network);
  }

  find(slug: string): RpcNetwork | undefined {
    return this.#generation.bySlug.get(slug);
  }

  backends(): Backend[] {
    return this.slugs.flatMap((slug) => this.find(slug)?.backend ?? []);
  }

  async close(): Promise<void> {
    this.#generation.schedule.stop();
    await Promise.all([...this.backends(), ...this.#retired.keys()].map((backend) => this.#close(backend)));
  }

  async #close(backend: Backend): Promise<void> {
    clearTimeout(this.#retired.get(backend));
    this.#retired.delete(backend);
    await Promise.all(backend.pool.nodes.map(({ upstream }) => upstream.close()));
  }
}

interface Generation {
  slugs: readonly string[];
  extraMethods: ReadonlyMap<string, RpcMethod>;
  bySlug: ReadonlyMap<string, RpcNetwork>;
  marks: ReadonlyMap<string, string>;
  rpc: Settings['rpc'];
  cache: ImmutableCache;
  schedule: HealthSchedule;
}

const RETIRED_MARGIN_MS = 5_000;

function markOf(network: Network, settings: Config['networks'][string] | undefined, standIn: boolean): string {
  const upstreams = (settings?.upstreams ?? []).map(({ url, headers }) => [
    url.reveal(),
    Object.entries(headers).map(([name, value]) => [name, value.reveal()]),
  ]);
  return hash('sha256', JSON.stringify([network, { ...settings, upstreams }, standIn]));
}

interface BackendParts {
  rpc: Settings['rpc'];
  cache: ImmutableCache;
  /** Identity that upstreams must prove; null if it is unknown or not checked. */
  identity: ChainIdentity | null;
  agreement: AgreementSettings | null;
  memory: HeldMemory | null;
  log: Logger | null;
}

function networkOf(
  network: Network,
  settings: Config['networks'][string] | undefined,
  standIn: boolean,
  parts: Omit<BackendParts, 'agreement'>,
): RpcNetwork {
  const configured = settings?.agreement ?? null;
  const agreement = configured && { ...configured, methods: new Set(configured.methods) };
  const priceFactorOf = (method: string): number =>
    agreement?.methods.has(method) ? (agreement.priceMultiplier ?? agreement.nodes) : 1;
  return {
    network,
    backend: backendOf(network, settings?.upstreams ?? [], { ...parts, agreement }),
    standIn,
    priceFactorOf,
  };
}

function backendOf(
  network: Network,
  upstreams: readonly UpstreamConfig[],
  { rpc, cache, identity, agreement, memory, log }: BackendParts,
): Backend | null {
  if (upstreams.length === 0) return null;
  const { slug } = network;
  const prove =
    identity &&
    ((node: UpstreamNode) =>
      new ChainProof(node.upstream, node.health, { identity, slug, timeoutMs: checkTimeoutMs(rpc) }, (state, before) =>
        chainChanged(node, state, before),
      ));
  const chainChanged = (node: UpstreamNode, state: 'right' | 'wrong', before: string): void => {
    if (state === 'wrong')
      log?.error(
        { network: slug, upstream: node.name, wrongChain: true, reason: node.proof?.failure.message },
        'upstream was excluded because it serves another chain',
      );
    else if (before === 'wrong')
      log?.info({ network: slug, upstream: node.name, wrongChain: false }, 'upstream returned to the right chain');
    // Some answers in the cache may already come from the wrong chain.
    if (state === 'wrong' && before === 'right') backend.forget();
  };
  const alone = upstreams.length === 1;
  const breaker = {
    failuresInRow: FAILURES_IN_ROW,
    openMs: OPEN_MS,
    openMsMax: alone ? SOLE_OPEN_MS_MAX : OPEN_MS_MAX,
  };
  const options = {
    connections: rpc.connectionsPerUpstream,
    connectTimeoutMs: rpc.connectTimeoutMs,
    answerBytesMax: rpc.answerBytesMax,
    ...(memory && { memory }),
  };
  const onTrouble = ({ name }: UpstreamNode, trouble: UpstreamTrouble): void =>
    log?.warn({ network: slug, upstream: name, ...trouble }, 'upstream was paused');
  const nodes = upstreams.map((configured, index) => {
    const upstream = new Upstream(configured, options);
    const heads = alone
      ? null
      : new NodeHeads(async (commitment) =>
          heightIn(
            await askNode(upstream, headRequest(network.kind, commitment), Math.min(HEAD_MS, checkTimeoutMs(rpc))),
          ),
        );
    return new UpstreamNode(`upstream ${index + 1}`, upstream, alone, breaker, onTrouble, prove, heads);
  });
  const backend = new Backend(network, new UpstreamPool(nodes, rpc), cache, memory, {
    answerBytesMax: rpc.answerBytesMax,
    agreement,
    log,
  });
  return backend;
}

function checkTimeoutMs(rpc: Settings['rpc']): number {
  return Math.min(HEALTH_CHECK_MS, rpc.attemptTimeoutMs, rpc.timeoutMs);
}

function describe(slug: string, settings: Config['networks'][string] | undefined): Network {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? furtherNetwork(slug, settings);
}

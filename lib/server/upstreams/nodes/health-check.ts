import type { Network } from '@/lib/protocol/networks';
import type { Logger } from 'pino';
import { askNode } from './ask-node';
import type { Backend } from './backend';
import { checkedCommitment, headRequest, heightOf } from './head-height';
import type { Upstream } from './upstream';
import { isUpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

interface HealthCheckOptions {
  timeoutMs: number;
  lagBlocksMax: number;
  /** If nodes do not support the tag `finalized`, a block at least this many blocks below the head counts as final. */
  finalityDepth: number;
}

type HealthNews = (node: UpstreamNode, sentence: string, isGood: boolean) => void;

export async function checkHealth(
  backend: Backend,
  options: HealthCheckOptions,
  thorough: boolean,
  onNews: HealthNews,
): Promise<void> {
  const { nodes } = backend.pool;
  const before = nodes.map(({ health: { isDoubtful, chain } }) => ({ isDoubtful, chain }));
  await Promise.all(nodes.map((node) => checkNode(node, backend.network, options, thorough)));
  judgeHeights(backend, options.lagBlocksMax);
  noteFinality(backend, options.finalityDepth);
  nodes.forEach((node, index) => {
    const { isDoubtful, chain } = before[index] as (typeof before)[number];
    // If the chain itself changed, `ChainProof` reports the change.
    if (chain === node.health.chain && isDoubtful !== node.health.isDoubtful)
      onNews(node, sentenceOf(node), !node.health.isDoubtful);
  });
}

async function checkNode(
  node: UpstreamNode,
  network: Network,
  { timeoutMs }: HealthCheckOptions,
  thorough: boolean,
): Promise<void> {
  const { health, proof, upstream } = node;
  try {
    if (proof && (thorough || !health.servesChain)) await proof.lookAgain();
    if (proof && !health.servesChain) throw proof.failure;
    const startedAt = performance.now();
    const commitment = checkedCommitment(network.kind);
    const height = heightOf(await askNode(upstream, headRequest(network.kind, commitment), timeoutMs));
    if (height === null) throw new Error('its answer to the health check is not a block height');
    const readsFinality = thorough || health.height === null;
    const now = performance.now();
    node.reached(now - startedAt);
    node.heads?.told(commitment, height, startedAt, now);
    health.height = height;
    if (readsFinality && network.kind === 'evm')
      health.finalizedHeight = (await finalizedHeight(upstream, timeoutMs)) ?? health.finalizedHeight ?? null;
  } catch (error) {
    health.height = null;
    if (!health.servesChain) health.finalizedHeight = undefined;
    health.failed(error instanceof Error ? error.message : 'the health check failed');
  }
}

async function finalizedHeight(upstream: Upstream, timeoutMs: number): Promise<number | null> {
  const block = await askNode(
    upstream,
    { method: 'eth_getBlockByNumber', params: '["finalized",false]' },
    timeoutMs,
  ).catch((error: unknown) => {
    if (isUpstreamFailure(error)) throw error;
    return null;
  });
  const number = typeof block === 'object' && block !== null ? (block as { number?: unknown }).number : null;
  return typeof number === 'string' && Number.isSafeInteger(Number(number)) ? Number(number) : null;
}

/**
 * Determines how far each upstream lags. Ignores upstreams that serve a different chain. If a height is implausible,
 * that upstream's check fails.
 */
function judgeHeights({ pool: { nodes }, head }: Backend, lagBlocksMax: number): void {
  const best = head.among(
    nodes.map(({ health }) => health.height ?? -Infinity),
    performance.now(),
  );
  for (const { health } of nodes) {
    if (health.height !== null && health.height <= best) health.passed();
    else if (health.height !== null) {
      health.failed(`it reports block ${health.height}, but the other upstreams are at ${best}`);
      health.height = null;
    }
    health.lagBlocks = health.height === null ? null : best - health.height;
    health.isLagging = health.lagBlocks !== null && health.lagBlocks > lagBlocksMax;
  }
}

/** Uses the lowest final height that any sound upstream reports, so that no single upstream can raise finality. */
function noteFinality(backend: Backend, finalityDepth: number): void {
  if (backend.network.kind !== 'evm') return;
  const sound = backend.pool.nodes.filter(({ health }) => !health.isDoubtful && health.height !== null);
  if (sound.length === 0) return;
  const heights = sound.map(({ health }) => health.finalizedHeight ?? (health.height as number) - finalityDepth);
  backend.finalizedHeight = Math.max(0, Math.min(...heights));
}

function sentenceOf({ health }: UpstreamNode): string {
  if (!health.isDoubtful) return 'it is healthy again';
  return health.isLagging
    ? `it is ${health.lagBlocks} blocks behind`
    : (health.lastError?.message ?? 'its health checks fail');
}

const IN_USE_MS = 300_000;
const TICK_MS = 500;
const UNDECIDED_MS = 2_000;
/**
 * Factor by which checks are less frequent for a network whose only upstream is healthy. Such checks only refresh the
 * final block.
 */
const SOLE_UPSTREAM_FACTOR = 6;
/** With several upstreams, one in this many checks also verifies the chain and reads the final block. */
const THOROUGH_EVERY = 6;
const JITTER = 0.2;

interface HealthScheduleOptions extends Omit<HealthCheckOptions, 'lagBlocksMax'> {
  intervalMs: number;
  lagBlocksMaxOf: (backend: Backend) => number;
  /**
   * Returns whether to check a network before its first call. False for local stand-ins, because they start at their
   * first call.
   */
  isCheckedAtOnce: (backend: Backend) => boolean;
}

interface Plan {
  dueAt: number;
  checks: number;
  running: boolean;
}

/**
 * Checks every network until the state of its upstreams is known. After that, checks only networks in use. Random
 * delays keep several gateways from checking at the same time.
 */
export class HealthSchedule {
  readonly #plans = new Map<Backend, Plan>();
  readonly #timer: NodeJS.Timeout | null;
  readonly #first: NodeJS.Immediate | null;

  constructor(
    private readonly backends: readonly Backend[],
    private readonly options: HealthScheduleOptions,
    private readonly log: Logger | null,
  ) {
    this.#timer =
      options.intervalMs > 0 && backends.length > 0
        ? setInterval(() => this.#tick(), Math.min(TICK_MS, options.intervalMs))
        : null;
    this.#timer?.unref();
    this.#first = this.#timer && setImmediate(() => this.#tick());
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    if (this.#first) clearImmediate(this.#first);
  }

  #tick(): void {
    const now = performance.now();
    for (const backend of this.backends) {
      const { usedAt, watchedAt } = backend.pool;
      const wantedAt = Math.max(usedAt ?? -Infinity, watchedAt ?? -Infinity);
      if (now - wantedAt > IN_USE_MS && !(this.options.isCheckedAtOnce(backend) && isUndecided(backend))) continue;
      const plan = this.#planOf(backend, now);
      if (!plan.running && now >= plan.dueAt) void this.#check(backend, plan);
    }
  }

  #planOf(backend: Backend, now: number): Plan {
    let plan = this.#plans.get(backend);
    if (!plan) this.#plans.set(backend, (plan = { dueAt: now, checks: 0, running: false }));
    return plan;
  }

  async #check(backend: Backend, plan: Plan): Promise<void> {
    plan.running = true;
    const options: HealthCheckOptions = { ...this.options, lagBlocksMax: this.options.lagBlocksMaxOf(backend) };
    const thorough = !backend.pool.hasPeers || plan.checks % THOROUGH_EVERY === 0;
    await checkHealth(backend, options, thorough, (node, sentence, isGood) => {
      this.log?.[isGood ? 'info' : 'warn'](
        { network: backend.network.slug, upstream: node.name, ...(!isGood && { reason: sentence }) },
        isGood ? 'upstream became healthy' : 'upstream became unhealthy',
      );
    });
    plan.checks++;
    plan.running = false;
    plan.dueAt = performance.now() + this.#interval(backend);
  }

  #interval(backend: Backend): number {
    const { intervalMs } = this.options;
    const isQuiet = !backend.pool.hasPeers && backend.pool.nodes.every(({ health }) => !health.isFailing);
    const untilNextMs = isUndecided(backend)
      ? Math.min(intervalMs, UNDECIDED_MS)
      : intervalMs * (isQuiet ? SOLE_UPSTREAM_FACTOR : 1);
    return untilNextMs * (1 - JITTER + 2 * JITTER * Math.random());
  }
}

function isUndecided({ pool }: Backend): boolean {
  return pool.nodes.some(({ health }) => health.isUndecided);
}

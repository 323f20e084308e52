import type { Network } from '@/lib/protocol/networks';
import { askNode } from './ask-node';
import type { Backend } from './backend';
import { checkedCommitment, headRequest, heightOf } from './head-height';
import type { Upstream } from './upstream';
import { isUpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

export interface HealthCheckOptions {
  timeoutMs: number;
  /** Blocks that an upstream may be behind the best and still be asked. */
  lagBlocksMax: number;
  /** Blocks after which a block counts as final where nodes do not know the tag `finalized`. */
  finalityDepth: number;
}

/** What became of a network's upstreams in a check, where it is news. */
export type HealthNews = (node: UpstreamNode, sentence: string, isGood: boolean) => void;

/**
 * Asks every upstream of a network for its height, all at once, and judges them against the best of them; those that
 * have not proved their chain do so first. Never throws.
 * @param thorough whether to have all prove their chain again, and to ask for the newest final block, which costs more.
 */
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
    // Whose chain changed was told of already.
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
    if (height === null) throw new Error('its answer to the health check is no height');
    const now = performance.now();
    node.reached(now - startedAt);
    node.heads?.told(commitment, height, startedAt, now);
    health.height = height;
    if (thorough && network.kind === 'evm') health.finalizedHeight = await finalizedHeight(upstream, timeoutMs);
  } catch (error) {
    health.height = null;
    health.finalizedHeight = null;
    health.failed(error instanceof Error ? error.message : 'the health check failed');
  }
}

/** Null where the node does not know the tag. */
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
 * An upstream of another chain has no height: it says nothing about how far this one is. One that says what cannot be
 * fails its check, and says nothing about it either.
 */
function judgeHeights({ pool: { nodes }, head }: Backend, lagBlocksMax: number): void {
  const best = head.among(
    nodes.map(({ health }) => health.height ?? -Infinity),
    performance.now(),
  );
  for (const { health } of nodes) {
    if (health.height !== null && health.height <= best) health.passed();
    else if (health.height !== null) {
      health.failed(`it says block ${health.height}, and the chain is at ${best} by the others`);
      health.height = null;
    }
    health.lagBlocks = health.height === null ? null : best - health.height;
    health.isLagging = health.lagBlocks !== null && health.lagBlocks > lagBlocksMax;
  }
}

/** The least that the sound upstreams call final: what one of them claims alone is not believed. */
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

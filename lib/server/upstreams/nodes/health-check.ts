import { readAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { Network } from '@/lib/protocol/networks';
import type { Backend } from './backend';
import { requestText, takeIds } from './single-request';
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

const HEIGHT_REQUESTS: Readonly<Record<Network['kind'], { method: string; params: string }>> = {
  evm: { method: 'eth_blockNumber', params: '[]' },
  solana: { method: 'getSlot', params: '[{"commitment":"confirmed"}]' },
  starknet: { method: 'starknet_blockNumber', params: '[]' },
};

/**
 * Asks every upstream of a network for its height, all at once, and judges them against the best of them. An EVM
 * upstream must also say that it serves the network's chain. Never throws.
 * @param withFinality whether to ask for the newest final block as well, which costs more.
 */
export async function checkHealth(backend: Backend, options: HealthCheckOptions, withFinality: boolean, onNews: HealthNews): Promise<void> {
  const { nodes } = backend.pool;
  const before = nodes.map(({ health }) => health.isDoubtful);
  await Promise.all(nodes.map((node) => checkNode(node, backend.network, options, withFinality)));
  judgeLag(nodes, options.lagBlocksMax);
  noteFinality(backend, options.finalityDepth);
  nodes.forEach((node, index) => {
    if (before[index] !== node.health.isDoubtful) onNews(node, sentenceOf(node), !node.health.isDoubtful);
  });
}

async function checkNode(node: UpstreamNode, network: Network, { timeoutMs }: HealthCheckOptions, withFinality: boolean): Promise<void> {
  const { health } = node;
  try {
    const startedAt = performance.now();
    const height = Number(await ask(node, HEIGHT_REQUESTS[network.kind], timeoutMs));
    if (!Number.isSafeInteger(height)) throw new Error('its answer to the health check is no height');
    node.reached(performance.now() - startedAt);
    health.height = height;
    if (network.chainId !== null && health.chain !== 'right' && !(await servesChain(node, network.chainId, timeoutMs))) {
      health.chain = 'wrong';
      health.failed(`it serves another chain than ${network.slug}`);
      return;
    }
    health.chain = 'right';
    if (withFinality && network.kind === 'evm') health.finalizedHeight = await finalizedHeight(node, timeoutMs);
    health.passed();
  } catch (error) {
    health.height = null;
    health.finalizedHeight = null;
    health.failed(error instanceof Error ? error.message : 'the health check failed');
  }
}

async function servesChain(node: UpstreamNode, chainId: number, timeoutMs: number): Promise<boolean> {
  return Number(await ask(node, { method: 'eth_chainId', params: '[]' }, timeoutMs)) === chainId;
}

/** Null where the node does not know the tag. */
async function finalizedHeight(node: UpstreamNode, timeoutMs: number): Promise<number | null> {
  const block = await ask(node, { method: 'eth_getBlockByNumber', params: '["finalized",false]' }, timeoutMs).catch((error: unknown) => {
    if (isUpstreamFailure(error)) throw error;
    return null;
  });
  const number = typeof block === 'object' && block !== null ? (block as { number?: unknown }).number : null;
  return typeof number === 'string' && Number.isSafeInteger(Number(number)) ? Number(number) : null;
}

/** @throws UpstreamFailure, or Error where the node answered with an error. */
async function ask(node: UpstreamNode, item: { method: string; params: string }, timeoutMs: number): Promise<unknown> {
  const { bytes } = await node.upstream.post(requestText({ ...item, paramsByName: false, id: 'null' }, takeIds(1)), timeoutMs);
  const answer = readAnswer(bytes);
  if (!answer) throw new Error('its answer to the health check is no JSON-RPC response');
  const value = JSON.parse(bytes.toString('utf8', answer.valueStart, answer.valueEnd)) as unknown;
  if (answer.kind === 'error') throw new Error(`it answered the health check with error ${String((value as { code?: unknown }).code).slice(0, 20)}`);
  return value;
}

/** An upstream of another chain says nothing about how far this one is. */
function judgeLag(nodes: readonly UpstreamNode[], lagBlocksMax: number): void {
  const best = Math.max(...nodes.map(({ health }) => (health.chain === 'wrong' ? -Infinity : (health.height ?? -Infinity))));
  for (const { health } of nodes) {
    health.lagBlocks = health.height === null || best === -Infinity ? null : Math.max(0, best - health.height);
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
  return health.isLagging ? `it is ${health.lagBlocks} blocks behind` : (health.lastError?.message ?? 'its health checks fail');
}

import type { BlockDemand } from './block-demand';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

/**
 * Chooses an upstream that can be asked. Compares these criteria in order: health, ability to serve the call, the
 * preference of `demand`, the minimum head, the expected latency. If no upstream has the minimum head, the newest head
 * decides.
 * @returns null if no upstream outside `avoid` can be asked
 */
export function chooseNode(
  nodes: readonly UpstreamNode[],
  method: string,
  now: number,
  avoid: readonly UpstreamNode[],
  floor: HeadFloor | null = null,
  demand: BlockDemand | null = null,
): UpstreamNode | null {
  let best: UpstreamNode | null = null;
  for (const node of nodes) {
    if (avoid.includes(node) || !node.admits(method, now)) continue;
    if (!best || isBetter(node, best, method, now, floor, demand)) best = node;
  }
  return best;
}

/**
 * Returns the upstream to try if all circuit breakers are open: the upstream whose next probe is due first. Returns
 * null if all upstreams are paused.
 */
export function chooseLastResort(
  nodes: readonly UpstreamNode[],
  method: string,
  now: number,
  avoid: readonly UpstreamNode[],
): UpstreamNode | null {
  let best: UpstreamNode | null = null;
  for (const node of nodes) {
    if (avoid.includes(node) || !node.health.servesChain || node.restsFor(now) > 0) continue;
    if (!best || node.admitsAt(method) < best.admitsAt(method)) best = node;
  }
  return best;
}

function isBetter(
  a: UpstreamNode,
  b: UpstreamNode,
  method: string,
  now: number,
  floor: HeadFloor | null,
  demand: BlockDemand | null,
): boolean {
  if (a.health.isDoubtful !== b.health.isDoubtful) return b.health.isDoubtful;
  const reference = demand?.reference ?? null;
  const [lacksA, lacksB] = [a.lacks(method, reference, now), b.lacks(method, reference, now)];
  if (lacksA !== lacksB) return lacksB;
  if (demand !== null && demand.preferred !== null) {
    const [prefersA, prefersB] = [demand.prefers(a), demand.prefers(b)];
    if (prefersA !== prefersB) return prefersA;
  }
  if (floor !== null && a.heads !== null && b.heads !== null) {
    const [mayA, mayB] = [a.heads.mayServe(floor, now), b.heads.mayServe(floor, now)];
    if (mayA !== mayB) return mayA;
    const ahead = a.heads.heightOf(floor.commitment) - b.heads.heightOf(floor.commitment);
    if (!mayA && ahead !== 0) return ahead > 0;
  }
  const [expectedOfA, expectedOfB] = [a.expectation(method, now), b.expectation(method, now)];
  return expectedOfA === expectedOfB ? a.inFlight < b.inFlight : expectedOfA < expectedOfB;
}

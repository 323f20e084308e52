import type { HeadCommitment } from './head-height';
import type { UpstreamNode } from './upstream-node';

/** Maximum distance between the heads of two honest upstreams, in blocks. */
export const REGION_BLOCKS = 1_000;

/** Returns whether an upstream's height is plausible: near another upstream's height, or no other height is known. */
export function isPlausible(
  height: number,
  node: UpstreamNode | undefined,
  nodes: readonly UpstreamNode[],
  commitment: HeadCommitment,
  now: number,
): boolean {
  let isContradicted = false;
  for (const other of nodes) {
    if (other === node || other.heads === null || !other.health.servesChain || other.health.isDoubtful) continue;
    const known = other.heads.freshHeightOf(commitment, now);
    if (known === null) continue;
    if (Math.abs(known - height) <= REGION_BLOCKS) return true;
    isContradicted = true;
  }
  return !isContradicted;
}

/**
 * Returns the newest credible head of the upstreams that can be asked; 0 if unknown. Lagging and failing upstreams
 * count only if there are no others.
 */
export function newestHead(
  nodes: readonly UpstreamNode[],
  commitment: HeadCommitment,
  method: string,
  now: number,
): number {
  let sound = 0;
  let doubtful = 0;
  let hasSound = false;
  for (const node of nodes) {
    if (!node.admits(method, now)) continue;
    const { isDoubtful } = node.health;
    if (!isDoubtful) hasSound = true;
    const height = node.heads?.heightOf(commitment) ?? 0;
    if (height <= (isDoubtful ? doubtful : sound) || !isPlausible(height, node, nodes, commitment, now)) continue;
    if (isDoubtful) doubtful = height;
    else sound = height;
  }
  return hasSound ? sound : doubtful;
}

import type { HeadCommitment } from './head-height';
import type { UpstreamNode } from './upstream-node';

/** Upstreams of one chain that are this far apart are not both telling the truth of the moment. */
export const REGION_BLOCKS = 1_000;

/**
 * Whether a height that an upstream tells counts for anything: another one is in the same region, or there is none that
 * says otherwise. So an absurd height binds nobody, also where nobody can tell which of two is the absurd one.
 */
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
 * The newest head that an upstream is known to have which may be asked now: of the lagging and failing only where there
 * are no others. 0 where nothing is known that counts.
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

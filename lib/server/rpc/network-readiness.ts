import type { ReadinessConfig } from '../config/readiness';
import type { Backend } from '../upstreams/nodes/backend';
import type { RpcNetworks } from '../upstreams/nodes/networks';

/** `unknown`: no upstream was asked or checked. */
type Availability = 'available' | 'unavailable' | 'unknown';

/**
 * Returns one sentence for each network that makes the gateway unready under the operator's policy. Starts health
 * checks of these networks, because an unready gateway gets no calls that would reveal a recovery. Stand-ins count as
 * available, because they start with their first call.
 */
export function unreadyNetworks(networks: RpcNetworks, policy: ReadinessConfig['networks']): string[] {
  if (policy === 'none') return [];
  const slugs = Array.isArray(policy) ? policy : networks.backends().map(({ network }) => network.slug);
  const reasons = slugs.flatMap((slug) => reasonOf(slug, networks) ?? []);
  if (policy !== 'any') return reasons;
  return reasons.length < slugs.length || slugs.length === 0 ? [] : ['No network has an upstream that can be asked.'];
}

function reasonOf(slug: string, networks: RpcNetworks): string | null {
  const found = networks.find(slug);
  if (!found?.backend) return `No upstream is configured for ${slug}, which readiness.networks names.`;
  if (found.standIn) return null;
  const availability = availabilityOf(found.backend, networks.areChecked);
  if (availability === 'available') return null;
  found.backend.pool.watchedAt = performance.now();
  return availability === 'unknown'
    ? `The upstreams of ${slug} have not been checked yet.`
    : `No upstream of ${slug} can be asked.`;
}

function availabilityOf({ pool }: Backend, areChecked: boolean): Availability {
  const now = performance.now();
  let isUnknown = false;
  for (const node of pool.nodes) {
    if (node.health.isFailing || !node.isConnectable(now)) continue;
    const isKnown = node.health.servesChain && (node.health.checkedAt !== null || node.latencies.count > 0);
    if (isKnown || !areChecked) return 'available';
    isUnknown = true;
  }
  return isUnknown ? 'unknown' : 'unavailable';
}

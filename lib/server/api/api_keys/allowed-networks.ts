import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import { nearestNetworks } from '@/lib/protocol/nearest-networks';
import type { Network } from '@/lib/protocol/networks';
import { pathError } from '../../http/validation-error';

/**
 * Refuses a scope that names an unconfigured network. Does not check models, because model lists change and may be
 * empty.
 *
 * @throws ApiError 400 that names the unconfigured network and the configured one with the most similar name
 */
export function checkAllowedNetworks(allow: KeyScope | null, networks: readonly Network[]): void {
  for (const [index, network] of (allow?.networks ?? []).entries()) {
    if (networks.some(({ slug }) => slug === network)) continue;
    const [nearest] = nearestNetworks(network, networks);
    throw pathError(
      ['allow', 'networks', String(index)],
      `${JSON.stringify(network.slice(0, 60))} is not a network of this gateway${nearest === undefined ? '' : `; the most similar is ${nearest}`}`,
    );
  }
}

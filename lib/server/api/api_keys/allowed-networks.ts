import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import { nearestNetworks } from '@/lib/protocol/nearest-networks';
import type { Network } from '@/lib/protocol/networks';
import { pathError } from '../../http/validation-error';

/**
 * Refuses a list with a network that this gateway does not have: its key could call nothing, and its owner would learn
 * it from the first call. Models are not looked up, since their servers' lists change, and are empty while one is away.
 *
 * @param networks that the gateway has
 * @throws ApiError 400 that names the entry, and the nearest network
 */
export function checkAllowedNetworks(allow: KeyScope | null, networks: readonly Network[]): void {
  for (const [index, network] of (allow?.networks ?? []).entries()) {
    if (networks.some(({ slug }) => slug === network)) continue;
    const [nearest] = nearestNetworks(network, networks);
    throw pathError(
      ['allow', 'networks', String(index)],
      `${JSON.stringify(network.slice(0, 60))} is no network of this gateway${nearest === undefined ? '' : `, the nearest is ${nearest}`}`,
    );
  }
}

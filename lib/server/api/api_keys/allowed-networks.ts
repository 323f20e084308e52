import type { KeyScope } from '@/lib/protocol/api-keys/key-scope';
import { nearestName } from '../../config/nearest-name';
import { pathError } from '../../http/validation-error';

/**
 * Refuses a list with a network that this gateway does not have: its key could call nothing, and its owner would learn
 * it from the first call. Models are not looked up, since their servers' lists change, and are empty while one is away.
 *
 * @param slugs of the networks that the gateway has
 * @throws ApiError 400 that names the entry, and the nearest network
 */
export function checkAllowedNetworks(allow: KeyScope | null, slugs: readonly string[]): void {
  for (const [index, network] of (allow?.networks ?? []).entries()) {
    if (slugs.includes(network)) continue;
    const nearest = nearestName(network, slugs);
    throw pathError(['allow', 'networks', String(index)], `${JSON.stringify(network.slice(0, 60))} is no network of this gateway${nearest === null ? '' : `, the nearest is ${nearest}`}`);
  }
}

import type { Rails } from '../../payments/rail-terms';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { brandImages } from '../brand-images';
import { settings } from '../settings';
import type { Capability, Ground } from './capability';

/** Serves settings and images that the console needs before sign-in. */
export function openConsole(
  { rules }: Ground,
  { networks, rails }: { networks: RpcNetworks; rails: Rails },
): Capability {
  return {
    endpoints: ({ config, consoleLimiter }) => [
      settings({ config, rules, networks, rails, consoleLimiter }),
      ...brandImages(config.brand),
    ],
  };
}

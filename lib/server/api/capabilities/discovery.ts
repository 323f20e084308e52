import { formatUsd } from '@/lib/protocol/pricing';
import type { ReceiptKeys } from '../../billing/receipts/receipt-keys';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { routes } from '..';
import { discovery } from '../discovery/discovery';
import { offeredRoutes } from '../discovery/offered-routes';
import { elsewhere } from '../elsewhere';
import { notOffered } from '../not-offered';
import { apiDescription, openapi } from '../openapi';
import type { Capability, Ground } from './capability';

interface Needs {
  networks: RpcNetworks;
  receiptKeys: ReceiptKeys;
  perCallMinimumNanoUsd: number | null;
}

/** Opens the endpoints that describe the API to programs. Some are at paths that programs commonly guess. */
export function openDiscovery({ rules }: Ground, { networks, receiptKeys, perCallMinimumNanoUsd }: Needs): Capability {
  return {
    endpoints: ({ config }) => {
      const { brand, pricePerCreditUsd } = config;
      const offered = offeredRoutes(routes, config);
      const description = apiDescription(offered, {
        pricePerCreditUsd,
        networks: networks.slugs,
        perCallMinimumUsd: perCallMinimumNanoUsd === null ? null : formatUsd(perCallMinimumNanoUsd, 6),
        brand,
      });
      return [
        openapi({ description, rules }),
        ...notOffered,
        ...elsewhere({ rules }),
        ...discovery({
          rules,
          description,
          receiptKeys: receiptKeys.keys,
          listing: {
            routes: offered,
            networks: networks.slugs,
            takesCallPayments: perCallMinimumNanoUsd !== null,
            brand,
          },
        }),
      ];
    },
  };
}

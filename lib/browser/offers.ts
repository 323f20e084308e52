'use client';

import type { GatewaySettings } from '@/lib/client';
import { useGatewaySettings } from './settings';

/** Features that a page needs, for pages whose path does not name the feature. */
const NEEDS: Readonly<Record<string, string>> = { '/top-up': 'topUp', '/keys': 'staking' };

/** Returns whether a gateway offers a page's feature; true until the settings arrive. */
export function isPageOffered(href: string, offers: GatewaySettings['offers'] | undefined): boolean {
  return offers?.[NEEDS[href] ?? href.slice(1)] !== false;
}

export function useIsPageOffered(): (href: string) => boolean {
  const offers = useGatewaySettings().data?.offers;
  return (href) => isPageOffered(href, offers);
}

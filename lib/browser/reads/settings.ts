'use client';

import { askSandbox, askSettings, type GatewaySettings } from '@/lib/client';
import { DEFAULT_PAGE_BRAND, type PageBrand } from '@/lib/protocol/brand';
import { createContext, useContext, useMemo } from 'react';
import { gatewayOptions } from './gateway';
import type { Read } from './read-cache';
import { useRead, useReads } from './use-read';

/** Settings change only with a restart. Settings that the server rendered count as stale. */
const STALE_AFTER_MS = 86_400_000;

/** Cannot be cancelled, because all components share the read. */
export const SETTINGS_READ: Read<GatewaySettings> = {
  key: ['settings'],
  read: () => askSettings(gatewayOptions()),
  staleMs: STALE_AFTER_MS,
};

export function useGatewaySettings() {
  return useRead(SETTINGS_READ);
}

const BrandContext = createContext<PageBrand>(DEFAULT_PAGE_BRAND);

export const BrandProvider = BrandContext.Provider;

export function useBrand(): PageBrand {
  return useContext(BrandContext);
}

/** Maps a page to the feature that it needs, if their names differ. */
const NEEDS: Readonly<Record<string, string>> = { '/top-up': 'topUp', '/keys': 'staking' };

/** Returns whether a gateway offers a page's feature; true until the settings arrive. */
export function isPageOffered(href: string, offers: GatewaySettings['offers'] | undefined): boolean {
  return offers?.[NEEDS[href] ?? href.slice(1)] !== false;
}

export function useIsPageOffered(): (href: string) => boolean {
  const offers = useGatewaySettings().data?.offers;
  return (href) => isPageOffered(href, offers);
}

/** Returns whether a wallet can pay for calls or make keys; true until the settings arrive. */
export function useIsWalletOfUse(): boolean {
  const isOffered = useIsPageOffered();
  return isOffered('/top-up') || isOffered('/keys');
}

/** Returns the network for a visitor's first call; null until the settings arrive. */
export function useFirstNetwork(): string | null {
  const { data, isPending } = useGatewaySettings();
  if (isPending) return null;
  return data?.profile === 'sandbox' ? 'sandbox-testnet' : (data?.firstNetwork ?? 'ethereum-mainnet');
}

/** Returns whether a network has an upstream; true for every network while the list is unknown. */
export function useIsConnected(): (slug: string) => boolean {
  const connected = useGatewaySettings().data?.connectedNetworks ?? null;
  return useMemo(() => {
    const slugs = connected && new Set(connected);
    return (slug: string) => slugs?.has(slug) ?? true;
  }, [connected]);
}

const RETRY_EVERY_MS = 5_000;

/**
 * Returns the sandbox's description; `data` is null for a live gateway. Reads once per visit, and every 5 s while the
 * gateway does not answer.
 */
export function useSandbox() {
  const reads = useReads();
  return useRead({
    key: ['sandbox'],
    read: async (signal) =>
      (await reads.ask(SETTINGS_READ)).profile === 'live' ? null : askSandbox(gatewayOptions(), { signal }),
    staleMs: Infinity,
    // If the gateway was down when the page opened, detects its return without a reload.
    everyMs: ({ error }) => (error === null ? null : RETRY_EVERY_MS),
  });
}

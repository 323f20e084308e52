'use client';

import { useGatewaySettings, useSandbox } from '@/lib/browser/reads/settings';
import type { GatewaySettings, PaymentRail, SandboxInfo } from '@/lib/client';
import { WALLET_FAMILIES } from '@/lib/protocol/wallet-address';
import { useMemo } from 'react';
import { fromHere, walletChainOf } from './wallet-chain';
import type { ConnectedWallet, WalletFamily } from './wallet-store';

export interface PayRail extends PaymentRail {
  family: WalletFamily;
  chainId: number | null;
  /** URL for reading the chain; null if only the wallet can reach the chain. */
  rpcUrl: string | null;
  /** True for a simulated chain. */
  isStandIn: boolean;
}

/** Returns the rails in display order, the staking chain first. */
export function payRailsOf(settings: GatewaySettings | null, sandbox: SandboxInfo | null): readonly PayRail[] {
  const { chain } = walletChainOf(settings, sandbox);
  const rails = (settings?.rails ?? []).flatMap((rail) => payRail(rail, sandbox, chain));
  return [...rails].sort((one, other) => Number(other.chainId === chain.id) - Number(one.chainId === chain.id));
}

/**
 * Returns the wallet families that the gateway uses: those with a payment rail, then EVM if only staking needs it.
 * Returns all families if the gateway uses none.
 */
export function familiesOfUse(settings: GatewaySettings | null): readonly WalletFamily[] {
  const paying = new Set((settings?.rails ?? []).map(({ network }) => familyOf(network)));
  const first = WALLET_FAMILIES.filter((family) => paying.has(family));
  const stakes = settings !== null && settings.staking.deployments.length > 0 && !paying.has('evm');
  const all = stakes ? [...first, 'evm' as const] : first;
  return all.length > 0 ? all : WALLET_FAMILIES;
}

function familyOf(network: string): WalletFamily | null {
  const [namespace] = network.split(':');
  return namespace === 'eip155' ? 'evm' : namespace === 'solana' ? 'solana' : null;
}

function payRail(rail: PaymentRail, sandbox: SandboxInfo | null, walletChain: { id: number; name: string }): PayRail[] {
  const family = familyOf(rail.network);
  if (family === null) return [];
  const chainId = family === 'evm' ? Number(rail.network.split(':')[1]) : null;
  const standInUrl = standInUrlOf(rail, sandbox);
  return [
    {
      ...rail,
      family,
      title: chainId === walletChain.id ? walletChain.name : rail.title,
      chainId,
      rpcUrl: standInUrl === null ? chainUrlOf(rail) : fromHere(standInUrl),
      isStandIn: standInUrl !== null,
    },
  ];
}

function standInUrlOf({ network, rpcNetwork }: PaymentRail, sandbox: SandboxInfo | null): string | null {
  const known = sandbox?.evm.find((chain) => chain.network === rpcNetwork);
  if (known !== undefined) return known.rpcUrl;
  // The sandbox reports one Solana URL, for wallets. Its other Solana chains have URLs relative to that URL.
  return network.startsWith('solana:') && sandbox?.solana ? new URL(rpcNetwork, sandbox.solana.rpcUrl).href : null;
}

/** Returns the gateway's URL for reading a Solana chain. Solana wallets do not let pages read a chain. */
function chainUrlOf({ network, rpcNetwork }: PaymentRail): string | null {
  if (!network.startsWith('solana:')) return null;
  return `${typeof window === 'undefined' ? '' : window.location.origin}/api/payment-chain/${rpcNetwork}`;
}

/**
 * Returns whether a wallet has to switch chains. Wallets sign typed data only for their current chain; the demo wallet
 * signs for every simulated chain.
 */
export function isOnOtherChain(rail: PayRail, wallet: ConnectedWallet): boolean {
  return rail.family === 'evm' && !wallet.isDemo && wallet.chainId !== rail.chainId;
}

/**
 * Returns whether a wallet can switch to the rail's chain. False for a simulated chain other than the sandbox's own,
 * because the wallet would switch to the real chain with the same id.
 */
export function isWalletsOwn({ chainId, isStandIn }: PayRail, ownChainId: number): boolean {
  return !isStandIn || chainId === ownChainId;
}

/**
 * Formats base units as whole tokens, grouped, with all digits and at least two decimals: `12.50`, `1,000.00`,
 * `5.000001`.
 */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Returns the rails on which this gateway accepts payments. `isLoading` is true until the settings arrive. */
export function usePayRails(): {
  rails: readonly PayRail[];
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  const rails = useMemo(() => payRailsOf(settings.data ?? null, sandbox.data ?? null), [settings.data, sandbox.data]);
  return {
    rails,
    isLoading: settings.isPending || sandbox.isPending,
    error: settings.error,
    retry: () => void settings.refetch(),
  };
}

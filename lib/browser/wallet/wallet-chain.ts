'use client';

import { useGatewaySettings, useSandbox } from '@/lib/browser/reads/settings';
import type { GatewaySettings, SandboxInfo, StakingDeployment } from '@/lib/client';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import type { Chain } from 'viem';

/** Chain on which wallets stake and pay: the staking chain, else the sandbox's, else Base. */
export interface WalletChain {
  chain: Chain;
  /** URL for this page and wallets; null if only the wallet can reach the chain. */
  rpcUrl: string | null;
  /** Staking contracts; null without staking or before the settings arrive. */
  deployment: StakingDeployment | null;
  /** Other payment chains, which only the wallet can reach. */
  payChains: readonly Chain[];
}

const SANDBOX_CHAIN_ID = 31337;

export function walletChainOf(settings: GatewaySettings | null, sandbox: SandboxInfo | null): WalletChain {
  const deployment =
    settings?.staking.deployments.find(({ primary }) => primary) ?? settings?.staking.deployments[0] ?? null;
  const standIn = sandbox?.evm.find(({ chainId }) => chainId === (deployment?.chainId ?? SANDBOX_CHAIN_ID)) ?? null;
  const id = deployment?.chainId ?? standIn?.chainId ?? 8453;
  const rpcUrl = fromHere(deployment?.rpcUrl ?? standIn?.rpcUrl ?? null);
  const name =
    id === 8453
      ? 'Base'
      : id === SANDBOX_CHAIN_ID
        ? `${settings?.name ?? DEFAULT_BRAND.name} Sandbox`
        : (deployment?.network ?? `Chain ${id}`);
  return { chain: defineChain(id, name, rpcUrl), rpcUrl, deployment, payChains: payChainsOf(settings, sandbox, id) };
}

/** Leaves out simulated chains, because a wallet would switch to the real chain with the same id. */
function payChainsOf(settings: GatewaySettings | null, sandbox: SandboxInfo | null, ownId: number): Chain[] {
  const chains = new Map<number, Chain>();
  for (const { network, title, rpcNetwork } of settings?.rails ?? []) {
    const [namespace, reference] = network.split(':');
    const id = Number(reference);
    if (namespace === 'eip155' && id !== ownId && !sandbox?.evm.some((standIn) => standIn.network === rpcNetwork))
      chains.set(id, defineChain(id, title, null));
  }
  return [...chains.values()];
}

function defineChain(id: number, name: string, rpcUrl: string | null): Chain {
  return {
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: rpcUrl === null ? [] : [rpcUrl] } },
    testnet: id === SANDBOX_CHAIN_ID,
    ...(id === 8453 ? { blockExplorers: { default: { name: 'Basescan', url: 'https://basescan.org' } } } : {}),
  };
}

/**
 * Replaces the origin of a gateway URL with this page's origin, because the browser may be unable to reach the original
 * one.
 */
export function fromHere(rpcUrl: string | null): string | null {
  if (rpcUrl === null || typeof window === 'undefined' || !URL.canParse(rpcUrl)) return rpcUrl;
  const { pathname } = new URL(rpcUrl);
  return pathname.startsWith('/api/') ? window.location.origin + pathname : rpcUrl;
}

export function useWalletChain(): WalletChain {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  return walletChainOf(settings.data ?? null, sandbox.data ?? null);
}

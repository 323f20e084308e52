'use client';

import { useRead } from '@/lib/browser/reads/use-read';
import { isOnOtherChain, type PayRail } from '@/lib/browser/wallet/pay-rails';
import { type ConnectedWallet, walletLayer } from '@/lib/browser/wallet/wallet-store';

const REFRESH_EVERY_MS = 20_000;

/**
 * Reads a wallet's balance of a rail's token, in base units. Waits for a wallet of the rail's family. If only the
 * wallet reaches the chain, also waits until the wallet is on that chain.
 */
export function useTokenBalance(rail: PayRail, wallet: ConnectedWallet | null) {
  const address = wallet?.address ?? '';
  const isEnabled =
    wallet !== null && (rail.rpcUrl !== null || (rail.family === 'evm' && !isOnOtherChain(rail, wallet)));
  const balance = useRead({
    key: ['chain', 'token', rail.network, rail.asset, address],
    enabled: isEnabled,
    read: () => readTokenBalance(rail, address),
    everyMs: REFRESH_EVERY_MS,
    staleMs: 5_000,
  });
  return { ...balance, isEnabled };
}

const TIMEOUT_MS = 15_000;

async function readTokenBalance(rail: PayRail, owner: string): Promise<bigint> {
  if (rail.family === 'solana') return readSolanaBalance(rail, owner);
  if (rail.rpcUrl === null) return readThroughWallet(rail, owner);
  const result = await askChain(rail.rpcUrl, 'eth_call', [{ to: rail.asset, data: balanceOfData(owner) }, 'latest']);
  if (typeof result !== 'string' || !/^0x[0-9a-f]+$/i.test(result))
    throw new Error(`There is no ${rail.symbol} on ${rail.title}.`);
  return BigInt(result);
}

function balanceOfData(owner: string): string {
  return `0x70a08231${owner.replace(/^0x/, '').toLowerCase().padStart(64, '0')}`;
}

async function readThroughWallet({ asset, chainId }: PayRail, owner: string): Promise<bigint> {
  if (chainId === null) throw new Error('This rail has no chain that the wallet could read.');
  const [layer, { readContract }, { erc20Abi }] = await Promise.all([
    walletLayer('evm'),
    import('wagmi/actions'),
    import('viem'),
  ]);
  return readContract(layer.evmConfig, {
    abi: erc20Abi,
    address: asset as `0x${string}`,
    chainId,
    functionName: 'balanceOf',
    args: [owner as `0x${string}`],
  });
}

/** Sums the owner's token accounts for the mint. There may be several or none. */
async function readSolanaBalance({ rpcUrl, asset, title }: PayRail, owner: string): Promise<bigint> {
  if (rpcUrl === null) throw new Error(`This page cannot read ${title}.`);
  const result = await askChain(rpcUrl, 'getTokenAccountsByOwner', [
    owner,
    { mint: asset },
    { encoding: 'jsonParsed' },
  ]);
  const { value } = result as {
    value?: { account?: { data?: { parsed?: { info?: { tokenAmount?: { amount?: string } } } } } }[];
  };
  return (value ?? []).reduce(
    (sum, { account }) => sum + BigInt(account?.data?.parsed?.info?.tokenAmount?.amount ?? '0'),
    0n,
  );
}

async function askChain(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (error !== undefined) throw new Error(error.message ?? 'an error without a message');
  return result ?? null;
}

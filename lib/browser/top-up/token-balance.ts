import { walletLayer } from '../wallet/wallet-store';
import type { PayRail } from './pay-rails';

const TIMEOUT_MS = 15_000;

/** Returns a wallet's balance of a rail's token, in base units. Rejects if the chain does not answer. */
export async function readTokenBalance(rail: PayRail, owner: string): Promise<bigint> {
  if (rail.family === 'solana') return readSolanaBalance(rail, owner);
  if (rail.rpcUrl === null) return readThroughWallet(rail, owner);
  const result = await askChain(rail.rpcUrl, 'eth_call', [{ to: rail.asset, data: balanceOfData(owner) }, 'latest']);
  if (typeof result !== 'string' || !/^0x[0-9a-f]+$/i.test(result))
    throw new Error(`There is no ${rail.symbol} on ${rail.title}.`);
  return BigInt(result);
}

/** Encodes the ERC-20 call `balanceOf(owner)`. */
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

/** Sums the owner's accounts of the mint, because an owner may have several or none. */
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

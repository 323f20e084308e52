import type { Address } from 'viem';
import { decodeAbiParameters, encodeFunctionData, formatUnits } from 'viem/utils';
import { MINTABLE_TOKEN_ABI } from '@/lib/protocol/contract-abis';
import type { Network } from '@/lib/protocol/networks';
import { SANDBOX_CONTRACT_NETWORKS, SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import type { ChainRpc } from './chain-rpc';

/** Amounts are decimal strings in whole tokens. */
export interface TokenFunding {
  symbol: string;
  token: Address;
  amount: string;
  balance: string;
}

interface FaucetToken {
  symbol: string;
  token: Address;
  decimals: number;
  amount: bigint;
}

export const FAUCET_TOKENS: readonly FaucetToken[] = [
  { symbol: 'TPK', token: SANDBOX_CONTRACTS.stakeToken, decimals: 18, amount: 1_000n },
  { symbol: 'TOLL', token: SANDBOX_CONTRACTS.dailyCreditToken, decimals: 18, amount: 100n },
  { symbol: 'USDC', token: SANDBOX_CONTRACTS.usdc, decimals: 6, amount: 100n },
];

export function hasContracts({ network }: { network: Pick<Network, 'slug'> }): boolean {
  return SANDBOX_CONTRACT_NETWORKS.includes(network.slug);
}

/** Returns the faucet transaction that mints a token's `amount` to an address. */
export function mintTransaction({ token, decimals, amount }: FaucetToken, to: Address): { to: Address; data: string } {
  const units = amount * 10n ** BigInt(decimals);
  return { to: token, data: encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'mint', args: [to, units] }) };
}

export async function tokenFunding(
  rpc: ChainRpc,
  { symbol, token, decimals, amount }: FaucetToken,
  address: Address,
): Promise<TokenFunding> {
  const data = encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'balanceOf', args: [address] });
  const answer = (await rpc('eth_call', [{ to: token, data }, 'latest'])) as `0x${string}`;
  const [balance] = decodeAbiParameters([{ type: 'uint256' }], answer);
  return { symbol, token, amount: amount.toString(), balance: formatUnits(balance, decimals) };
}

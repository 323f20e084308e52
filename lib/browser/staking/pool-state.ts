import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import type { Address } from 'viem';
import type { Config } from 'wagmi';
import { getBalance, readContract } from 'wagmi/actions';

/** A token and the contract that it is staked in. */
export interface PoolAddresses {
  chainId: number;
  token: Address;
  pool: Address;
}

/** What a wallet has in a pool and could put into it. Amounts in base units. */
export interface PoolState {
  symbol: string;
  decimals: number;
  /** In the wallet. */
  balance: bigint;
  /** What the pool may take from the wallet without a further approval. */
  allowance: bigint;
  staked: bigint;
  /** Staked by all wallets together. */
  total: bigint;
  cooldownSeconds: number;
  /** What was asked back, and when it can be taken; null for nothing. */
  unstaking: { amount: bigint; availableAtMs: number } | null;
  /** For network fees, in wei. */
  coin: bigint;
}

/** Reads a pool for a wallet, through the chain's public address or through the wallet. Rejects where it does not answer. */
export async function readPoolState(
  config: Config,
  wallet: Address,
  { chainId, token, pool }: PoolAddresses,
): Promise<PoolState> {
  const ofToken = { abi: MINTABLE_TOKEN_ABI, address: token, chainId } as const;
  const ofPool = { abi: STAKING_ABI, address: pool, chainId } as const;
  const [symbol, decimals, balance, allowance, staked, total, cooldown, [amount, availableAt], coin] =
    await Promise.all([
      readContract(config, { ...ofToken, functionName: 'symbol' }),
      readContract(config, { ...ofToken, functionName: 'decimals' }),
      readContract(config, { ...ofToken, functionName: 'balanceOf', args: [wallet] }),
      readContract(config, { ...ofToken, functionName: 'allowance', args: [wallet, pool] }),
      readContract(config, { ...ofPool, functionName: 'balanceOf', args: [wallet] }),
      readContract(config, { ...ofPool, functionName: 'totalStaked' }),
      readContract(config, { ...ofPool, functionName: 'cooldown' }),
      readContract(config, { ...ofPool, functionName: 'unstaking', args: [wallet] }),
      getBalance(config, { address: wallet, chainId }),
    ]);
  return {
    symbol,
    decimals,
    balance,
    allowance,
    staked,
    total,
    cooldownSeconds: Number(cooldown),
    unstaking: amount === 0n ? null : { amount, availableAtMs: Number(availableAt) * 1000 },
    coin: coin.value,
  };
}

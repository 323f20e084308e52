import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import type { Address } from 'viem';
import type { Config } from 'wagmi';
import { getBalance, readContract } from 'wagmi/actions';

export interface PoolAddresses {
  chainId: number;
  token: Address;
  pool: Address;
}

/** State of a wallet in a pool. All amounts are in base units. */
export interface PoolState {
  symbol: string;
  decimals: number;
  balance: bigint;
  /** Amount that the pool may transfer without another approval. */
  allowance: bigint;
  staked: bigint;
  /** Total stake of all wallets. */
  total: bigint;
  cooldownSeconds: number;
  /** Amount being unstaked and the time from which it can be withdrawn; null for none. */
  unstaking: { amount: bigint; availableAtMs: number } | null;
  /** Balance of the native coin, for network fees, in wei. */
  coin: bigint;
}

/** Reads a pool's state for a wallet, through the chain's public URL or the wallet. Rejects if neither answers. */
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

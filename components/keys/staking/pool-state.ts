'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead, useReads } from '@/lib/browser/reads/use-read';
import { askAllocation, type StakingDeployment } from '@/lib/client';
import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { useEffect } from 'react';
import type { Address } from 'viem';
import type { Config } from 'wagmi';
import { getBalance, readContract } from 'wagmi/actions';
import { queryClient } from '@/lib/browser/reads/query-client';
import { minimumStake } from './allocation';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { useQuery } from '@tanstack/react-query';

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
  total: bigint;
  cooldownSeconds: number;
  /** Amount being unstaked, and the time from which the wallet can withdraw that amount; null if none. */
  unstaking: { amount: bigint; availableAtMs: number } | null;
  /** Balance of the native coin, for network fees, in wei. */
  coin: bigint;
}

/** Reads the chain through its public URL or the wallet. Rejects if neither answers. */
async function readPoolState(
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

export function poolQuery(config: Config, wallet: string, addresses: PoolAddresses) {
  const address = wallet as `0x${string}`;
  return {
    queryKey: ['chain', 'pool', addresses, address] as const,
    queryFn: () => readPoolState(config, address, addresses),
  };
}

const LOOK_AGAIN_MS = 10_000;

/**
 * Returns a wallet's allocation for today in USD, spent or not; 0 if the gateway granted none, null while unknown. Each
 * read makes the gateway read the stake and update the balance.
 * @param isStaked whether the chain shows a stake that grants an allocation
 */
export function useAllocation(address: string, isStaked: boolean): number | null {
  const reads = useReads();
  const { data } = useRead({
    // With the prefix `chain`, the cache refetches the allocation together with the chain's state.
    key: ['chain', 'allocation', address],
    read: (signal) => askAllocation(gatewayOptions(), address, { signal }),
    retries: 1,
    staleMs: 5_000,
  });
  const isLate = isStaked && data === 0;
  useEffect(() => {
    // Polls, because the gateway's node may not see the stake yet.
    if (!isLate) return;
    const timer = setInterval(() => void reads.readAgain(['chain', 'allocation']), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isLate, reads]);
  useEffect(() => {
    if (data) void reads.readAgain(['balance']);
  }, [data, reads]);
  return data ?? null;
}

export interface StakesOptions {
  wallet: ConnectedWallet;
  config: Config;
  deployment: StakingDeployment;
}

/** Returns the stakes that the pool cards have read. Sends no request. An unknown stake counts as sufficient. */
export function useKnownStakes({ wallet, config, deployment }: StakesOptions) {
  const { chain } = useWalletChain();
  const right = useQuery(
    {
      ...poolQuery(config, wallet.address, {
        chainId: chain.id,
        token: deployment.stakeToken,
        pool: deployment.staking,
      }),
      enabled: false,
    },
    queryClient,
  );
  const daily = useQuery(
    {
      ...poolQuery(config, wallet.address, {
        chainId: chain.id,
        token: deployment.dailyCreditToken,
        pool: deployment.dailyCreditPool,
      }),
      enabled: false,
    },
    queryClient,
  );
  return {
    stake: right.data ?? null,
    staked: right.data?.staked,
    dailyStake: daily.data ?? null,
    lacksStake: !right.isError && right.data?.staked === 0n,
    lacksAllocation:
      !daily.isError && daily.data !== undefined && daily.data.staked < minimumStake(daily.data.decimals),
  };
}

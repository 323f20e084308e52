'use client';

import { queryClient } from '@/lib/browser/reads/query-client';
import { minimumStake } from './staking/allocation';
import { poolQuery } from './staking/pool-state';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import type { StakingDeployment } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import type { Config } from 'wagmi';

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

'use client';

import { SwitchChainButton } from '@/components/wallet/switch-chain-button';
import { Notice } from '@/components/ui/notice';
import { useWalletChain } from '@/lib/browser/wallet/use-wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import type { StakingDeployment } from '@/lib/client';
import { stakingWords as words } from '@/lib/browser/words/staking';
import type { Config } from 'wagmi';
import { AllocationPreview } from './allocation-preview';
import { KeyMeters } from './key-meters';
import { PoolCard } from './pool-card';

interface StakingSectionProps {
  wallet: ConnectedWallet;
  config: Config;
  deployment: StakingDeployment;
  dailyPoolUsd: number;
}

/** Shows both pools of the gateway's chain: the stake required for a key, and the stake for the allocation. */
export function StakingSection({ wallet, config, deployment, dailyPoolUsd }: StakingSectionProps) {
  const { chain } = useWalletChain();
  const shared = { wallet, config, chain };
  return (
    <section aria-label={words.label} className="grid gap-4">
      {wallet.chainId !== chain.id && (
        <Notice tone="warn" title={words.otherChain(chain.name)} actions={<SwitchChainButton tone="primary" />}>
          {words.happensOn(chain.name)}
        </Notice>
      )}
      <KeyMeters wallet={wallet} config={config} deployment={deployment} dailyPoolUsd={dailyPoolUsd} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PoolCard
          {...shared}
          {...words.right}
          addresses={{ chainId: chain.id, token: deployment.stakeToken, pool: deployment.staking }}
        />
        <PoolCard
          {...shared}
          {...words.allocation}
          addresses={{ chainId: chain.id, token: deployment.dailyCreditToken, pool: deployment.dailyCreditPool }}
          preview={(state, amount) => (
            <AllocationPreview state={state} amount={amount} dailyPoolUsd={dailyPoolUsd} wallet={wallet.address} />
          )}
        />
      </div>
    </section>
  );
}

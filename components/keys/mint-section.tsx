'use client';

import { Notice } from '@/components/ui/notice';
import { formatBalance } from '@/lib/browser/amounts';
import { useMintDraft } from '@/lib/browser/keys/mint-draft';
import { useMint } from '@/lib/browser/keys/use-mint';
import { usePrepaid } from '@/lib/browser/billing/use-prepaid';
import { useRevokedKeys } from '@/lib/browser/keys/revoked-keys';
import { dailyAllocationUsd } from '@/lib/browser/staking/allocation';
import { useWalletChain } from '@/lib/browser/wallet/use-wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { mintWords as words } from '@/lib/browser/words/wallet-keys';
import type { StakingDeployment } from '@/lib/client';
import { useEffect, useState } from 'react';
import type { Config } from 'wagmi';
import { MintForm } from './mint-form';
import { MintSteps } from './mint-steps';
import { useKnownStakes } from './use-known-stakes';
import { MintedKeyCard } from './minted-key-card';

interface MintSectionProps {
  wallet: ConnectedWallet;
  config: Config;
  deployment: StakingDeployment;
  symbols: { stake: string; dailyCredit: string };
  dailyPoolUsd: number;
}

export function MintSection({ wallet, config, deployment, symbols, dailyPoolUsd }: MintSectionProps) {
  const { state, mint, clear, clearFailure } = useMint();
  const { chain } = useWalletChain();
  const { staked, lacksStake, lacksAllocation, dailyStake } = useKnownStakes({ wallet, config, deployment });
  const prepaidUsd = usePrepaid(wallet.address);
  const dailyUsd = dailyStake === null ? null : dailyAllocationUsd({ ...dailyStake, dailyPoolUsd });
  const allocationUsd = dailyUsd === null ? null : words.spends.today(formatBalance(dailyUsd));
  const { clear: clearDraft } = useMintDraft();
  const [isAnother, setIsAnother] = useState(false);
  const isDone = state.step === 'done';
  const revoked = useRevokedKeys();
  const isOver = state.step === 'done' && revoked.has(state.key.id);
  useEffect(() => {
    if (isOver) clear();
  }, [isOver, clear]);
  useEffect(() => {
    // Clears the draft, so that the next key starts with an empty form.
    if (isDone) clearDraft();
  }, [isDone, clearDraft]);
  useEffect(() => {
    // A failure from before the stake changed is outdated.
    clearFailure();
  }, [staked, clearFailure]);
  const isRunning = state.step === 'token' || state.step === 'signature' || state.step === 'check';
  return (
    <section aria-label={words.title} className="grid gap-4 rounded-md border border-line p-4">
      <header className="grid gap-1">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <p className="text-sm text-dim">{words.intro(symbols.stake)}</p>
      </header>
      {state.step === 'done' ? (
        <MintedKeyCard
          minted={state.key}
          lackingSymbol={lacksAllocation ? symbols.dailyCredit : null}
          onDone={() => (setIsAnother(true), clear())}
        />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <MintForm
            isRunning={isRunning}
            problem={lacksStake ? words.stakeFirst(symbols.stake) : null}
            takesFocus={isAnother}
            allocation={lacksAllocation ? words.spends.none(symbols.dailyCredit) : allocationUsd}
            prepaidUsd={prepaidUsd}
            onMint={(wish) => void mint(wallet.address, wish)}
          />
          <MintSteps state={state} stakeSymbol={symbols.stake} network={chain.name} />
        </div>
      )}
      {wallet.isDemo && state.step === 'idle' && <Notice tone="info" title={words.demoNote} />}
    </section>
  );
}

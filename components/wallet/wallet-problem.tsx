'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useSandbox } from '@/lib/browser/sandbox';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { walletFailureOf } from '@/lib/browser/wallet/wallet-failure';
import { walletWords } from '@/lib/browser/words/wallet';
import { RotateCw, Wallet } from 'lucide-react';
import { FundButton } from './fund-button';
import { SwitchChainButton } from './switch-chain-button';

/**
 * Shows why a wallet failed and the action that helps. `chainId` is the requested chain; null means the staking chain.
 */
export function WalletProblem({
  error,
  onRetry,
  chainId = null,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  chainId?: number | null;
}) {
  const { kind, sentence, advice } = walletFailureOf(error);
  const sandbox = useSandbox();
  return (
    <Notice
      tone={kind === 'refused' ? 'info' : 'bad'}
      title={sentence}
      actions={
        <>
          {kind === 'wrong-chain' && <SwitchChainButton chainId={chainId} />}
          {kind === 'no-gas' && sandbox.data && <FundButton />}
          {(kind === 'gone' || kind === 'cannot') && (
            <Button size="sm" onClick={() => chooseWallet('connect')}>
              <Wallet aria-hidden />
              {kind === 'gone' ? walletWords.signIn.connectAgain : walletWords.connectOther}
            </Button>
          )}
          {onRetry && (
            <Button size="sm" onClick={onRetry}>
              <RotateCw aria-hidden />
              {walletWords.tryAgain}
            </Button>
          )}
        </>
      }
    >
      {advice}
    </Notice>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useSandbox } from '@/lib/browser/reads/settings';
import { walletFailureOf } from '@/lib/browser/wallet/wallet-failure';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { RotateCw, Wallet } from 'lucide-react';
import { useEffect, useState } from 'react';
import { FundButton, SwitchChainButton } from './wallet-buttons';
import { walletWords } from './words';

/**
 * Shows why a wallet failed, with a button for the fix. `chainId` is the requested chain; null means the staking chain.
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

/** Time after which a wallet counts as slow. A wallet answers sooner, unless it waits for the user. */
const PATIENCE_MS = 6_000;

/** Tells the user where to look when the wallet has not answered for a while. Mounted while a request is open. */
export function SlowWallet({ onStop }: { onStop?: () => void }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 text-sm text-dim empty:hidden">
      {isSlow && (
        <>
          <p className="min-w-0 flex-1">{walletWords.slow.said}</p>
          {onStop && (
            <Button size="sm" onClick={onStop}>
              {walletWords.slow.stop}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

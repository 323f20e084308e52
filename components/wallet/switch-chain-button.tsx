'use client';

import { Button } from '@/components/ui/button';
import { useSwitchChain } from '@/lib/browser/wallet/use-switch-chain';
import { walletWords } from '@/lib/browser/words/wallet';
import { ArrowLeftRight } from 'lucide-react';

/** Switches the EVM wallet to a chain of this gateway, by default the staking chain. */
export function SwitchChainButton({
  tone = 'outline',
  chainId,
}: {
  tone?: 'outline' | 'primary';
  chainId?: number | null;
}) {
  const { switchChain, isPending, problem, chainName } = useSwitchChain(chainId);
  return (
    <>
      <Button size="sm" tone={tone} disabled={isPending} onClick={switchChain}>
        <ArrowLeftRight aria-hidden />
        {isPending ? walletWords.asking : walletWords.switchTo(chainName)}
      </Button>
      {problem !== null && (
        <span role="alert" className="text-xs text-bad">
          {problem}
        </span>
      )}
    </>
  );
}

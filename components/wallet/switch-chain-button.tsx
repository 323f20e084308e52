'use client';

import { Button } from '@/components/ui/button';
import { useSwitchChain } from '@/lib/browser/wallet/use-switch-chain';
import { walletWords } from '@/lib/browser/words/wallet';
import { ArrowLeftRight } from 'lucide-react';

/** Switches the EVM wallet to the chain of this gateway, adding the chain where the wallet does not know it. */
export function SwitchChainButton({ tone = 'outline' }: { tone?: 'outline' | 'primary' }) {
  const { switchChain, isPending, problem, chainName } = useSwitchChain();
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

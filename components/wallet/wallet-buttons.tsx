'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useFundWallets } from '@/lib/browser/wallet/faucet';
import { useSwitchChain } from '@/lib/browser/wallet/use-switch-chain';
import { ArrowLeftRight, Droplet } from 'lucide-react';
import { walletWords } from './words';

/** Funds every connected wallet with the sandbox's coins and tokens, and shows the amounts. */
export function FundButton({ label = walletWords.fund.it }: { label?: string }) {
  const { fund, isPending, error, funded } = useFundWallets();
  return (
    <div className="grid w-full gap-2">
      <Button size="sm" className="justify-self-start" disabled={isPending} onClick={fund}>
        <Droplet aria-hidden />
        {isPending ? walletWords.fund.funding : label}
      </Button>
      {error !== null && (
        <Notice tone="bad" title={error.message}>
          {walletWords.fund.failed}
        </Notice>
      )}
      {funded.length > 0 && (
        <p role="status" className="text-xs text-good">
          {walletWords.fund.received(funded)}
        </p>
      )}
    </div>
  );
}

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

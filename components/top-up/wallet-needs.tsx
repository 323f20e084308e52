'use client';

import { FundButton, SwitchChainButton } from '@/components/wallet/wallet-buttons';
import { Notice } from '@/components/ui/notice';
import { useSandbox } from '@/lib/browser/reads/settings';
import { isOnOtherChain, isWalletsOwn, type PayRail, formatUnits } from '@/lib/browser/wallet/pay-rails';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { payTroubleWords as words } from './payment-words';

export function WalletNeeds({
  rail,
  wallet,
  balance,
}: {
  rail: PayRail;
  wallet: ConnectedWallet;
  balance: bigint | undefined;
}) {
  const sandbox = useSandbox();
  const { chain } = useWalletChain();
  const isElsewhere = isOnOtherChain(rail, wallet);
  if (isElsewhere && isWalletsOwn(rail, chain.id)) {
    return (
      <Notice
        tone="warn"
        title={words.otherChain(rail.title)}
        actions={<SwitchChainButton tone="primary" chainId={rail.chainId} />}
      >
        {words.signsForItsChain}
      </Notice>
    );
  }
  if (isElsewhere) {
    return (
      <Notice tone="warn" title={words.wouldSignForReal(rail.title)}>
        {words.chooseInstead(chain.name, rail.title)}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      title={
        balance === 0n
          ? words.hasNone(rail.symbol, rail.title)
          : words.hasOnly(formatUnits(balance ?? 0n, rail.decimals), rail.symbol, rail.title)
      }
      actions={sandbox.data && <FundButton />}
    >
      {sandbox.data ? words.faucetGives(rail.symbol) : words.sendSome(rail.symbol, rail.title, wallet.address)}
    </Notice>
  );
}

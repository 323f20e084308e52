'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { useConnection } from '@/lib/browser/connection/connection';
import { endUseOf, useCredential } from '@/lib/browser/credential/credential';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { isClockOff, useHasPassed } from '@/lib/browser/page/clock';
import { clockSentence } from '@/lib/browser/page/clock-words';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { formatUntil } from '@/lib/browser/text/moments';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import { walletFailureOf } from '@/lib/browser/wallet/wallet-failure';
import { type ConnectedWallet, sameAddress, type WalletFamily, walletState } from '@/lib/browser/wallet/wallet-store';
import { PenLine } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { SwitchChainButton } from './wallet-buttons';
import { SlowWallet, WalletProblem } from './wallet-problem';
import { walletWords } from './words';

/** @param beforeSignIn control to use before signing in, because the sign-in may close the dialog */
export function ConnectedWalletCard({ wallet, beforeSignIn }: { wallet: ConnectedWallet; beforeSignIn?: ReactNode }) {
  const { chain, payChains } = useWalletChain();
  const [problem, setProblem] = useState<string | null>(null);
  const at = [chain, ...payChains].find(({ id }) => id === wallet.chainId);
  const isElsewhere = wallet.family === 'evm' && at === undefined;
  const disconnect = () => {
    // A disconnected wallet must not continue to pay.
    endUseOf(wallet.address);
    walletState()
      .layer?.disconnect(wallet.family)
      .catch((error: unknown) => setProblem(walletFailureOf(error).sentence));
  };
  return (
    <div className="grid gap-3 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium">{wallet.walletName}</span>
        {wallet.isDemo && <Badge tone="amber">{walletWords.keyHere}</Badge>}
        {isElsewhere ? <Badge tone="bad">{walletWords.elsewhere}</Badge> : at !== undefined && <Badge>{at.name}</Badge>}
        <span className="flex-1" />
        <Button size="sm" tone="quiet" onClick={disconnect}>
          {walletWords.disconnect}
        </Button>
      </div>
      <div className="flex items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="figures min-w-0 flex-1 text-xs break-all">{wallet.address}</code>
        <CopyButton text={wallet.address} label={walletWords.copyAddress(wallet.walletName)} iconOnly />
      </div>
      {isElsewhere && (
        <div className="flex flex-wrap items-center gap-2">
          <SwitchChainButton />
        </div>
      )}
      {beforeSignIn}
      <SignInStatus wallet={wallet} />
      {problem !== null && (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

function SignInStatus({ wallet }: { wallet: { family: WalletFamily; address: string } }) {
  const { address } = wallet;
  const signIn = useSignIns().find((each) => sameAddress(each.address, address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const credential = useCredential();
  const settings = useGatewaySettings();
  const { start, isPending, error } = useSignIn();
  const isInUse = credential.kind === 'wallet' && sameAddress(credential.address, address);
  const holds = signIn !== undefined && !hasEnded;
  // A wrong clock makes the gateway refuse a sign-in, even before the sign-in expires.
  const { clockAheadMs } = useConnection();
  const isTrusted = !isClockOff(clockAheadMs);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        {holds && isInUse && isTrusted && <Badge tone="good">{walletWords.signIn.pays}</Badge>}
        {holds ? (
          <span className="text-dim">{walletWords.signIn.until(formatUntil(signIn.expiresAtMs))}</span>
        ) : (
          <span className="text-dim">{signIn === undefined ? walletWords.signIn.not : walletWords.signIn.ended}</span>
        )}
        <span className="flex-1" />
        {holds && (
          <Button size="sm" tone="quiet" onClick={() => endUseOf(address)}>
            {walletWords.signIn.out}
          </Button>
        )}
        {!isInUse && (
          <Button
            tone={holds ? 'outline' : 'primary'}
            size="sm"
            disabled={isPending || settings.isPending}
            onClick={() => start(wallet)}
          >
            {!holds && <PenLine aria-hidden />}
            {isPending
              ? walletWords.asking
              : holds
                ? walletWords.signIn.payWithIt
                : signIn === undefined
                  ? walletWords.signIn.andPay
                  : walletWords.signIn.again}
          </Button>
        )}
      </div>
      {!isTrusted && <p className="text-xs text-bad">{clockSentence(clockAheadMs)}</p>}
      {isPending && <SlowWallet />}
      {error !== null && <WalletProblem error={error} onRetry={() => start(wallet)} />}
    </div>
  );
}

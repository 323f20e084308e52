'use client';

import { Badge } from '@/components/ui/badge';
import { isClockOff } from '@/lib/browser/connection/clock-off';
import { clockSentence } from '@/lib/browser/connection/clock-words';
import { useConnection } from '@/lib/browser/connection/connection';
import { Button } from '@/components/ui/button';
import { useHasPassed } from '@/lib/browser/clock';
import { formatUntil } from '@/lib/browser/moments';
import { endUseOf, useCredential } from '@/lib/browser/credential';
import { useGatewaySettings } from '@/lib/browser/settings';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import { sameAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-address';
import { walletWords } from '@/lib/browser/words/wallet';
import { PenLine } from 'lucide-react';
import { SlowWallet } from './slow-wallet';
import { WalletProblem } from './wallet-problem';

/** Shows whether a wallet has signed in, until when, and the next action. */
export function SignInStatus({ wallet }: { wallet: { family: WalletFamily; address: string } }) {
  const { address } = wallet;
  const signIn = useSignIns().find((each) => sameAddress(each.address, address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const credential = useCredential();
  const settings = useGatewaySettings();
  const { start, isPending, error } = useSignIn();
  const isInUse = credential.kind === 'wallet' && sameAddress(credential.address, address);
  const holds = signIn !== undefined && !hasEnded;
  // The gateway refuses a sign-in that was signed with a wrong clock, even before its expiry.
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

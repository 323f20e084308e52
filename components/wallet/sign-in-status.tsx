'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { useHasPassed } from '@/lib/browser/clock';
import { useCredential } from '@/lib/browser/credential';
import { useGatewaySettings } from '@/lib/browser/settings';
import { forgetSignIn, useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import { sameAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-address';
import { PenLine } from 'lucide-react';
import { WalletProblem } from './wallet-problem';

/** Whether a wallet has signed in and until when, and what to do about it. */
export function SignInStatus({ wallet }: { wallet: { family: WalletFamily; address: string } }) {
  const { address } = wallet;
  const signIn = useSignIns().find((each) => sameAddress(each.address, address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const credential = useCredential();
  const settings = useGatewaySettings();
  const { start, isPending, error } = useSignIn();
  const isInUse = credential.kind === 'wallet' && sameAddress(credential.address, address);
  const holds = signIn !== undefined && !hasEnded;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        {holds && isInUse && <Badge tone="good">in use for calls</Badge>}
        {holds ? <span className="text-dim">Signed in until {formatUntil(signIn.expiresAtMs)}</span> : <span className="text-dim">{signIn === undefined ? 'Not signed in' : 'The sign-in has ended'}</span>}
        <span className="flex-1" />
        {holds && (
          <Button size="sm" tone="quiet" onClick={() => forgetSignIn(address)}>
            Sign out
          </Button>
        )}
        {!isInUse && (
          <Button size="sm" disabled={isPending || settings.isPending} onClick={() => start(wallet)}>
            {!holds && <PenLine aria-hidden />}
            {isPending ? 'Look at the wallet…' : holds ? 'Use for calls' : signIn === undefined ? 'Sign in' : 'Sign in again'}
          </Button>
        )}
      </div>
      {error !== null && <WalletProblem error={error} onRetry={() => start(wallet)} />}
    </div>
  );
}

/** A time of today, or of another day with its date. */
export function formatUntil(atMs: number): string {
  const at = new Date(atMs);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return at.toDateString() === new Date().toDateString() ? time : `${at.toLocaleDateString('en-GB', { weekday: 'short' })} ${time}`;
}

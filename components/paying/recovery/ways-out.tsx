'use client';

import { Button } from '@/components/ui/button';
import { SignInAgain } from '@/components/wallet/sign-in-again';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { chooseCredential, useCredential, useOwnKey, maskSecret } from '@/lib/browser/credential/credential';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { useNow } from '@/lib/browser/page/clock';
import { useSandbox } from '@/lib/browser/reads/settings';
import {
  chooseWallet,
  type ConnectedWallet,
  sameAddress,
  shortAddress,
  useConnectedWallets,
} from '@/lib/browser/wallet/wallet-store';
import type { CallCredential } from '@/lib/client';
import { Clock, RotateCw, Wallet, WalletCards } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { KeyForm } from '../key-form';
import type { AwaitedPayer } from './use-resume';
import { recoveryWords } from './words';

/** Switches the payment method to a wallet. Connects the wallet first if necessary. */
export function PayWithWallet({ isFirst, onDone }: { isFirst: boolean; onDone: (awaited: AwaitedPayer) => void }) {
  const credential = useCredential();
  const others = useConnectedWallets().filter(
    ({ address }) => credential.kind !== 'wallet' || !sameAddress(credential.address, address),
  );
  if (others.length > 0)
    return others.map((wallet, index) => (
      <PayWith key={wallet.address} wallet={wallet} isFirst={isFirst && index === 0} onDone={onDone} />
    ));
  return (
    <Button
      size="sm"
      tone={isFirst ? 'primary' : 'outline'}
      onClick={() => {
        onDone('any-wallet');
        chooseWallet('pay');
      }}
    >
      <Wallet aria-hidden />
      {recoveryWords.payWithWallet}
    </Button>
  );
}

function PayWith({
  wallet,
  isFirst,
  onDone,
}: {
  wallet: ConnectedWallet;
  isFirst: boolean;
  onDone: (awaited: AwaitedPayer) => void;
}) {
  const { start, isPending, error } = useSignIn();
  const pay = () => start(wallet, (signIn) => onDone({ kind: 'signIn', signIn: signIn.header }));
  return (
    <>
      <Button size="sm" tone={isFirst ? 'primary' : 'outline'} disabled={isPending} onClick={pay}>
        <Wallet aria-hidden />
        {isPending ? (
          recoveryWords.asking
        ) : (
          <span>
            {recoveryWords.payWith(wallet.walletName)} <span className="figures">{shortAddress(wallet.address)}</span>
          </span>
        )}
      </Button>
      {error !== null && (
        <div className="w-full">
          <WalletProblem error={error} />
        </div>
      )}
    </>
  );
}

export function SignInAndGoOn({ onDone }: { onDone: (awaited: AwaitedPayer) => void }) {
  const credential = useCredential();
  if (credential.kind !== 'wallet' && credential.kind !== 'signed-out')
    return <PayWithWallet isFirst onDone={onDone} />;
  return <SignInAgain address={credential.address} family={credential.family} onDone={onDone} />;
}

export function OtherKey({ onDone }: { onDone: (presented: CallCredential) => void }) {
  const credential = useCredential();
  const own = useOwnKey();
  const demoKey = useSandbox().data?.demoKey ?? null;
  const use = (choice: { kind: 'own' } | { kind: 'demo' }, apiKey: string) => {
    chooseCredential(choice);
    onDone({ kind: 'apiKey', apiKey });
  };
  return (
    <div className="grid gap-3 pt-1.5 text-ink">
      <div className="flex flex-wrap gap-2 empty:hidden">
        {own !== null && credential.kind !== 'own' && (
          <Button size="sm" onClick={() => use({ kind: 'own' }, own.apiKey)}>
            {recoveryWords.payWithYourKey(maskSecret(own.apiKey))}
          </Button>
        )}
        {demoKey !== null && credential.kind !== 'demo' && (
          <Button size="sm" onClick={() => use({ kind: 'demo' }, demoKey)}>
            {recoveryWords.payWithDemoKey}
          </Button>
        )}
      </div>
      <KeyForm onDone={onDone} />
    </div>
  );
}

const TopUpDialog = dynamic(() => import('@/components/top-up/top-up-dialog').then((module) => module.TopUpDialog), {
  ssr: false,
});

/** Tops up without leaving the page. The interrupted call continues once the payment is credited. */
export function TopUpHere({ onPaid }: { onPaid: (awaited: AwaitedPayer) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        size="sm"
        tone="primary"
        onClick={() => {
          setWasOpened(true);
          setIsOpen(true);
        }}
      >
        <WalletCards aria-hidden />
        {recoveryWords.topUp}
      </Button>
      {wasOpened && <TopUpDialog isOpen={isOpen} onOpenChange={setIsOpen} onPaid={onPaid} />}
    </>
  );
}

/** Longest wait for which the page offers automatic sending. */
const PATIENCE_MS = 15 * 60_000;

/** Counts down to the earliest next attempt. Then sends the call if the user chose automatic sending. */
export function SendWhenReady({ readyAtMs, onSend }: { readyAtMs: number | null; onSend: () => void }) {
  const nowMs = useNow(500);
  const leftMs = readyAtMs === null ? 0 : Math.max(0, readyAtMs - nowMs);
  const [isWaiting, setIsWaiting] = useState(false);
  const latest = useRef(onSend);
  useEffect(() => {
    latest.current = onSend;
  });
  const isDue = isWaiting && leftMs === 0;
  useEffect(() => {
    if (isDue) latest.current();
  }, [isDue]);
  if (leftMs === 0) {
    return (
      <Button size="sm" disabled={isDue} onClick={onSend}>
        <RotateCw aria-hidden />
        {recoveryWords.sendAgain}
      </Button>
    );
  }
  return (
    <>
      {leftMs <= PATIENCE_MS && (
        <Button size="sm" aria-pressed={isWaiting} onClick={() => setIsWaiting(!isWaiting)}>
          <Clock aria-hidden />
          {isWaiting ? recoveryWords.doNotSend : recoveryWords.sendWhenReady}
        </Button>
      )}
      <span className="flex items-center text-xs text-dim">
        {isWaiting ? recoveryWords.sendsIn : recoveryWords.possibleIn}&nbsp;
        <span className="figures">{waitText(leftMs)}</span>
      </span>
    </>
  );
}

function waitText(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  if (seconds < 120) return recoveryWords.wait.seconds(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? recoveryWords.wait.minutes(minutes) : recoveryWords.wait.hours(Math.ceil(minutes / 60));
}

'use client';

import { SignInAgain } from '@/components/wallet/sign-in-again';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { useNow } from '@/lib/browser/clock';
import { formatCountdown } from '@/lib/browser/countdown';
import { type Credential, forgetKey } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { useSandbox } from '@/lib/browser/sandbox';
import { sameAddress, shortAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-address';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { payingWords } from '@/lib/browser/words/paying';
import { type ReactNode, useState } from 'react';

/** Shows the payment method: the key, masked until revealed, or the wallet and the expiry of its sign-in. */
export function CurrentPayer({ credential, onDone }: { credential: Credential; onDone: () => void }) {
  switch (credential.kind) {
    case 'own':
    case 'demo':
      return <PayingKey credential={credential} />;
    case 'wallet':
      return (
        <PayingWallet address={credential.address} family={credential.family} expiresAtMs={credential.expiresAtMs} />
      );
    case 'signed-out':
      return (
        <Heading name={payingWords.nobody}>
          <p className="text-dim">
            {payingWords.ended.before} <span className="figures text-xs">{shortAddress(credential.address)}</span>{' '}
            {payingWords.ended.after}
          </p>
          <div className="flex flex-wrap gap-2">
            <SignInAgain address={credential.address} family={credential.family} onDone={onDone} />
          </div>
        </Heading>
      );
    case 'none':
      return (
        <Heading name={payingWords.nobody}>
          <p className="text-dim">{payingWords.readOnly}</p>
        </Heading>
      );
    case 'pending':
      return <p className="text-dim">{payingWords.lookingUp}</p>;
  }
}

function Heading({ name, badge, children }: { name: string; badge?: string; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-sm font-medium">{name}</h2>
        {badge !== undefined && <Badge tone="amber">{badge}</Badge>}
      </div>
      {children}
    </div>
  );
}

function PayingWallet({
  address,
  family,
  expiresAtMs,
}: {
  address: string;
  family: WalletFamily;
  expiresAtMs: number;
}) {
  const nowMs = useNow(1000);
  const connected = useWallets()[family];
  const isConnected = connected !== null && sameAddress(connected.address, address);
  return (
    <Heading name={payingWords.pays} badge={payingWords.signedIn[family]}>
      <code className="figures rounded-md border border-line bg-surface px-2.5 py-2 text-xs break-all">{address}</code>
      <p className="text-xs text-dim">
        {payingWords.prepaid.before} <span className="figures">{formatCountdown(expiresAtMs - nowMs)}</span>
        {payingWords.prepaid.after}
        {!isConnected && ` ${payingWords.notConnected}`}
      </p>
    </Heading>
  );
}

function PayingKey({ credential }: { credential: Extract<Credential, { kind: 'own' | 'demo' }> }) {
  const sandbox = useSandbox();
  const [shown, setShown] = useState(false);
  const badge =
    credential.kind === 'demo'
      ? payingWords.demoBadge
      : credential.remember
        ? payingWords.keptBadge
        : payingWords.tabBadge;
  return (
    <Heading name={payingWords.pays} badge={badge}>
      <div className="flex items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="figures min-w-0 flex-1 text-xs break-all">
          {shown ? credential.apiKey : maskSecret(credential.apiKey)}
        </code>
        <Button tone="quiet" size="sm" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? payingWords.hide : payingWords.show}
        </Button>
        <CopyButton text={credential.apiKey} label={payingWords.copyKey} iconOnly />
      </div>
      {credential.kind === 'own' && (
        <Button onClick={() => forgetKey(sandbox.data ? 'demo' : 'nobody')} className="justify-self-start">
          {sandbox.data ? payingWords.forgetForDemo : payingWords.forget}
        </Button>
      )}
    </Heading>
  );
}

'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { formatCountdown, useNow } from '@/lib/browser/clock';
import { type Credential, forgetKey } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { useSandbox } from '@/lib/browser/sandbox';
import { shortAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-address';
import { useState } from 'react';

/** The credential in use: the key, masked until asked for, or the wallet and when its sign-in ends. */
export function CurrentCredential({ credential }: { credential: Credential }) {
  switch (credential.kind) {
    case 'own':
    case 'demo':
      return <CurrentKey credential={credential} />;
    case 'wallet':
      return <CurrentWallet address={credential.address} family={credential.family} expiresAtMs={credential.expiresAtMs} />;
    case 'signed-out':
      return (
        <p className="text-dim">
          The sign-in of <span className="figures text-xs">{shortAddress(credential.address)}</span> has ended, and no credential is in use. Sign in again, or use a key.
        </p>
      );
    case 'none':
    case 'pending':
      return <p className="text-dim">No credential is in use. Calls are answered with 402 until you sign in with a wallet or enter an API key.</p>;
  }
}

function CurrentWallet({ address, family, expiresAtMs }: { address: string; family: WalletFamily; expiresAtMs: number }) {
  const nowMs = useNow(1000);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium">In use</span>
        <Badge tone="amber">{family === 'evm' ? 'Ethereum wallet, signed in' : 'Solana wallet, signed in'}</Badge>
      </div>
      <code className="figures rounded-md border border-line bg-surface px-2.5 py-2 text-xs break-all">{address}</code>
      <p className="text-xs text-dim">
        The sign-in ends in <span className="figures">{formatCountdown(expiresAtMs - nowMs)}</span>; then the wallet is asked again. Calls are paid from its prepaid balance.
      </p>
    </div>
  );
}

function CurrentKey({ credential }: { credential: Extract<Credential, { kind: 'own' | 'demo' }> }) {
  const sandbox = useSandbox();
  const [shown, setShown] = useState(false);
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <span className="font-medium">In use</span>
        <Badge tone="amber">{credential.kind === 'demo' ? 'Demo key of this sandbox' : credential.remember ? 'Your key, kept in this browser' : 'Your key, for this tab'}</Badge>
      </div>
      <div className="flex items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="figures min-w-0 flex-1 text-xs break-all">{shown ? credential.apiKey : maskSecret(credential.apiKey)}</code>
        <Button tone="quiet" size="sm" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </Button>
        <CopyButton text={credential.apiKey} label="Copy the key" iconOnly />
      </div>
      {credential.kind === 'own' && (
        <Button onClick={forgetKey} className="justify-self-start">
          {sandbox.data ? 'Forget it and use the demo key' : 'Forget it'}
        </Button>
      )}
    </div>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { type Credential, useCredential } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { KeyRound, Wallet } from 'lucide-react';
import { useState } from 'react';
import { CredentialChoices } from './credential-choices';
import { CurrentCredential } from './current-credential';
import { KeyForm } from './key-form';

/** Who pays for the calls of this console, an API key or a wallet that has signed in, and how to change it. */
export function CredentialSwitch() {
  const credential = useCredential();
  const [open, setOpen] = useState(false);
  const isMissing = credential.kind === 'none' || credential.kind === 'signed-out';
  const Icon = credential.kind === 'wallet' || credential.kind === 'signed-out' ? Wallet : KeyRound;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button className="max-w-44 min-w-0 px-2.5" aria-label={`Credential: ${describe(credential)}`}>
          <Icon aria-hidden className={isMissing ? 'text-bad' : 'text-amber-ink'} />
          {credential.kind === 'pending' ? <Skeleton className="h-3 w-16" /> : <span className="hidden truncate sm:inline">{describe(credential)}</span>}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Credential" className="grid w-[min(24rem,calc(100vw-16px))] gap-4 p-4">
        <CurrentCredential credential={credential} />
        <CredentialChoices credential={credential} onChosen={() => setOpen(false)} />
        <KeyForm onDone={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

function describe(credential: Credential): string {
  switch (credential.kind) {
    case 'own':
      return maskSecret(credential.apiKey);
    case 'demo':
      return 'Demo key';
    case 'wallet':
      return shortAddress(credential.address);
    case 'signed-out':
      return 'Sign in again';
    case 'none':
      return 'Add a key';
    case 'pending':
      return 'Credential';
  }
}

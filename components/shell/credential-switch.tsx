'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { type Credential, forgetKey, useCredential } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { useSandbox } from '@/lib/browser/sandbox';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { KeyForm } from './key-form';

/** Whose key pays for the calls of this console, and how to use another. */
export function CredentialSwitch() {
  const credential = useCredential();
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button className="max-w-44 min-w-0 px-2.5" aria-label={`Credential: ${describe(credential)}`}>
          <KeyRound aria-hidden className={credential.kind === 'none' ? 'text-bad' : 'text-amber-ink'} />
          {credential.kind === 'pending' ? <Skeleton className="h-3 w-16" /> : <span className="truncate">{describe(credential)}</span>}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Credential" className="grid w-[min(22rem,calc(100vw-16px))] gap-4 p-4">
        <CurrentKey credential={credential} />
        <KeyForm onDone={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

function describe(credential: Credential): string {
  if (credential.kind === 'own') return maskSecret(credential.apiKey);
  if (credential.kind === 'demo') return 'Demo key';
  return credential.kind === 'none' ? 'Add a key' : 'Credential';
}

function CurrentKey({ credential }: { credential: Credential }) {
  const sandbox = useSandbox();
  const [shown, setShown] = useState(false);
  if (credential.apiKey === null) {
    return <p className="text-dim">No credential is in use. Calls are answered with 402 until you enter an API key.</p>;
  }
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

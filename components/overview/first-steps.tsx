'use client';

import { Button } from '@/components/ui/button';
import { useCallHistory } from '@/lib/browser/call-history';
import { useLastCharges } from '@/lib/browser/billing/use-usage';
import { useCredential } from '@/lib/browser/credential';
import { useKeys } from '@/lib/browser/keys/use-keys';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { Check, Circle } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Section } from './section';

/** From nothing to a key of one's own: each step ticks itself when it is done. */
export function FirstSteps({ network }: { network: string }) {
  const { evm, solana } = useWallets();
  const charges = useLastCharges();
  const hasCalledHere = useCallHistory().some(({ outcome }) => outcome === 'ok');
  const hasCalled = hasCalledHere || (charges.data?.length ?? 0) > 0;
  const signIns = useSignIns();
  const credential = useCredential();
  const keys = useKeys(credential.kind === 'wallet' && credential.family === 'evm' ? credential.presented : null);
  const hasWallet = evm !== null || solana !== null;
  const hasKey = credential.kind === 'own' || (keys.data?.length ?? 0) > 0;
  return (
    <Section title="First steps">
      <ol className="divide-y divide-line overflow-hidden rounded-md border border-line">
        <Step done={hasCalled} name="Make a call" note="With the credential at the top right.">
          <Link href={`/rpc?network=${network}`}>Open RPC</Link>
        </Step>
        <Step done={hasWallet} name="Connect a wallet" note="No account, no email address.">
          <button type="button" onClick={chooseWallet}>
            Connect
          </button>
        </Step>
        <Step done={signIns.length > 0} name="Sign in with it" note="One signature, good for 8 hours.">
          <button type="button" onClick={chooseWallet}>
            Sign in
          </button>
        </Step>
        <Step done={hasKey} name="Stake and mint a key" note="For programs, with a daily allocation.">
          <Link href="/keys">Keys &amp; staking</Link>
        </Step>
      </ol>
    </Section>
  );
}

function Step({ done, name, note, children }: { done: boolean; name: string; note: string; children: ReactNode }) {
  const Icon = done ? Check : Circle;
  return (
    <li className="flex min-h-13 items-center gap-3 px-3 py-2 text-sm">
      <Icon aria-hidden className={`size-4 shrink-0 ${done ? 'text-good' : 'text-faint'}`} />
      <p className="min-w-0 flex-1">
        <span className={done ? 'text-dim' : 'font-medium'}>{name}</span>
        <span className="sr-only">{done ? ', done' : ', not done yet'}</span>
        <span className="block text-xs text-dim">{note}</span>
      </p>
      {!done && (
        <Button asChild size="sm">
          {children}
        </Button>
      )}
    </li>
  );
}

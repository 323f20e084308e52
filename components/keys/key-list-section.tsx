'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { statusOf } from '@/lib/browser/call-failure';
import { useKeys } from '@/lib/browser/keys/use-keys';
import { useListCredential } from '@/lib/browser/keys/use-list-credential';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { PenLine } from 'lucide-react';
import { KeyTable } from './key-table';

/** The keys of the connected wallet, or of the ADMIN key in use. */
export function KeyListSection({ wallet }: { wallet: ConnectedWallet | null }) {
  const credential = useListCredential(wallet);
  const keys = useKeys(credential);
  const { start, isPending, error } = useSignIn({ useForCalls: false });
  const isForbidden = statusOf(keys.error) === 401 || statusOf(keys.error) === 403;
  const canSignIn = wallet !== null && (credential === null || isForbidden);
  if (wallet === null && (credential === null || isForbidden || keys.data === undefined)) return null;
  return (
    <section aria-label="Keys" className="grid gap-3">
      <h2 className="text-lg font-semibold">Keys</h2>
      {canSignIn && (
        <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
          Sign in with this wallet to see its keys, what they spent, and to revoke them. It is asked once for 8 hours.
          <Button size="sm" disabled={isPending} onClick={() => start(wallet)}>
            <PenLine aria-hidden />
            {isPending ? 'Look at the wallet…' : 'Sign in'}
          </Button>
          {error !== null && <WalletProblem error={error} />}
        </div>
      )}
      {!canSignIn && keys.isPending && <Skeleton className="h-32" />}
      {!canSignIn && keys.isError && (
        <Notice tone="bad" title={keys.error.message} actions={<Button size="sm" onClick={() => void keys.refetch()}>Try again</Button>}>
          The keys themselves go on working.
        </Notice>
      )}
      {!canSignIn && keys.data && <KeyTable keys={keys.data} credential={credential} />}
    </section>
  );
}

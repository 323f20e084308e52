'use client';

import { SignInAgain } from '@/components/wallet/sign-in-again';
import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential';
import { readPaymentNeed } from '@/lib/browser/payment-need';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import type { CallCredential, GatewayError } from '@/lib/client';
import Link from 'next/link';
import { TOP_UP_PAGE } from './console-pages';
import { KeyForm } from './key-form';

/** After a 401 or 402: what makes the same call succeed, by the credential in use. */
export function CredentialRemedy({ error, onRetry }: { error: GatewayError; onRetry: (presented?: CallCredential) => void }) {
  const credential = useCredential();
  const { evm, solana } = useWallets();
  const need = error.status === 402 ? readPaymentNeed(error.detail.bodyText) : null;
  const isWallet = credential.kind === 'wallet' || credential.kind === 'signed-out';
  return (
    <div className="grid max-w-md gap-4">
      {need !== null && (
        <p className="text-sm text-dim">
          {need.currentUsd !== null && (
            <>
              The wallet holds <span className="figures text-ink">{need.currentUsd}</span>.{' '}
            </>
          )}
          {need.minimumUsd !== null && (
            <>
              This call needs <span className="figures text-ink">{need.minimumUsd}</span>.{' '}
            </>
          )}
          {TOP_UP_PAGE === null ? 'Add USDC with POST /api/v1/x402/top-up, or call with a key.' : 'Top up with USDC, or call with a key.'}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {error.status === 402 && TOP_UP_PAGE !== null && (
          <Button asChild size="sm">
            <Link href={TOP_UP_PAGE}>Top up</Link>
          </Button>
        )}
        {isWallet && (error.status === 401 || credential.kind === 'signed-out') && <SignInAgain address={credential.address} family={credential.family} onDone={onRetry} />}
        {!isWallet && evm === null && solana === null && (
          <Button size="sm" onClick={chooseWallet}>
            Connect wallet
          </Button>
        )}
      </div>
      <KeyForm onDone={onRetry} />
    </div>
  );
}

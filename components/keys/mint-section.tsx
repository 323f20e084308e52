'use client';

import { Notice } from '@/components/ui/notice';
import { useMint } from '@/lib/browser/keys/use-mint';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { MintForm } from './mint-form';
import { MintSteps } from './mint-steps';
import { MintedKeyCard } from './minted-key-card';

/** Minting: what the key is to be, what happens while it is made, and the key itself, once. */
export function MintSection({ wallet, stakeSymbol }: { wallet: ConnectedWallet; stakeSymbol: string }) {
  const { state, mint, clear } = useMint();
  const isRunning = state.step === 'token' || state.step === 'signature' || state.step === 'check';
  return (
    <section aria-label="Mint a key" className="grid gap-4 rounded-md border border-line p-4">
      <header className="grid gap-1">
        <h2 className="text-lg font-semibold">Mint a key</h2>
        <p className="text-sm text-dim">The wallet signs a short-lived token, the gateway looks for staked {stakeSymbol}, and makes a key. No transaction, no fee.</p>
      </header>
      {state.step === 'done' ? (
        <MintedKeyCard minted={state.key} onDone={clear} />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <MintForm isRunning={isRunning} onMint={(wish) => void mint(wallet.address, wish)} />
          <MintSteps state={state} stakeSymbol={stakeSymbol} />
        </div>
      )}
      {wallet.isDemo && state.step === 'idle' && <Notice tone="info" title="The demo wallet shows what a wallet asks before it signs." />}
    </section>
  );
}

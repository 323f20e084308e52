'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Summary } from '@/components/ui/summary';
import { queryClient } from '@/lib/browser/reads/query-client';
import { usePendingApproval } from '@/lib/browser/wallet/demo/approval';
import { useWalletSetup } from '@/lib/browser/wallet/use-wallet-setup';
import { shortAddress } from '@/lib/browser/wallet/wallet-store';
import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { WagmiProvider } from 'wagmi';
import { WalletDialog } from './wallet-dialog';
import { WalletLink } from './wallet-link';
import { walletWords } from './words';

/** Adapters for individual wallets. The list is empty, because wallets announce themselves through Wallet Standard. */
const NO_ADAPTERS: [] = [];

/**
 * Renders the wallet libraries' providers. Loaded on demand. The page uses wallets through the store and does not wait
 * for the libraries.
 */
export function WalletLayer() {
  const setup = useWalletSetup();
  if (setup === null) return null;
  return (
    <WagmiProvider config={setup.evmConfig}>
      <QueryClientProvider client={queryClient}>
        <ConnectionProvider endpoint={setup.solanaEndpoint}>
          <WalletProvider
            wallets={NO_ADAPTERS}
            autoConnect
            localStorageKey="turnpike.solana-wallet"
            onError={ignoreError}
          >
            <WalletLink />
            <WalletDialog />
            <DemoApproval />
          </WalletProvider>
        </ConnectionProvider>
      </QueryClientProvider>
    </WagmiProvider>
  );
}

/** Without a handler, the adapter would log each refusal. */
function ignoreError(): void {}

/** Shows the demo wallet's question before signing. Closing the prompt refuses the request. */
function DemoApproval() {
  const pending = usePendingApproval();
  if (pending === null) return null;
  return (
    <Dialog key={pending.id} open onOpenChange={(open) => !open && pending.answer(false)}>
      <DialogContent title={pending.title} description={pending.consequence}>
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone="amber">{walletWords.demo.name}</Badge>
          <span className="figures text-xs" title={pending.address}>
            {shortAddress(pending.address)}
          </span>
          <span className="text-xs text-faint">{walletWords.demo.key}</span>
        </p>
        {pending.facts.length > 0 && (
          <dl className="grid gap-1 text-sm">
            {pending.facts.map(([name, value]) => (
              <div key={name} className="flex gap-3">
                <dt className="w-28 shrink-0 text-dim">{name}</dt>
                <dd className="figures min-w-0 text-xs leading-5 wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <details
          open={pending.facts.length === 0 || (pending.isSent === true && pending.isPlain !== true)}
          className="group rounded-md border border-line"
        >
          <Summary className="min-h-9 px-3 text-sm text-dim hover:text-ink pointer-coarse:min-h-11">
            {walletWords.demo.exactly}
          </Summary>
          <pre
            tabIndex={0}
            aria-label={walletWords.demo.signed}
            className="figures max-h-[40dvh] overflow-auto border-t border-line bg-surface p-3 text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
          >
            {pending.body}
          </pre>
        </details>
        <div className="flex justify-end gap-2">
          <Button onClick={() => pending.answer(false)}>{walletWords.demo.refuse}</Button>
          <Button tone="primary" autoFocus onClick={() => pending.answer(true)}>
            {pending.isSent === true ? walletWords.demo.send : walletWords.demo.sign}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}

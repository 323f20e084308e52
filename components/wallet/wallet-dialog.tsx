'use client';

import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential/credential';
import { useGatewaySettings, useSandbox } from '@/lib/browser/reads/settings';
import { familiesOfUse } from '@/lib/browser/wallet/pay-rails';
import { updateWallets, useConnectedWallets, useWallets, type WalletPurpose } from '@/lib/browser/wallet/wallet-store';
import { walletWords } from './words';
import { WALLET_FAMILIES, type WalletFamily } from '@/lib/protocol/wallet-address';
import { ConnectedWalletCard } from './connected-wallet-card';
import { EvmWalletChoices, SolanaWalletChoices, useHasEvmWallet, useHasSolanaWallet } from './wallet-choices';
import { FundButton } from './wallet-buttons';
import { NoWalletFound } from './wallet-choice';
import { type ReactNode, useEffect, useState } from 'react';

const CHOICES: Readonly<Record<WalletFamily, ReactNode>> = {
  evm: <EvmWalletChoices />,
  solana: <SolanaWalletChoices />,
};

export function WalletDialog() {
  const wallets = useWallets();
  const { choosing } = wallets;
  const connected = useConnectedWallets();
  const sandbox = useSandbox();
  const families = useShownFamilies();
  const missing = useMissingFamilies().filter((family) => families.includes(family));
  // If no wallet pays, the next step is to sign in, so the Done button is not highlighted.
  const paysByWallet = useCredential().kind === 'wallet';
  return (
    <Dialog open={choosing !== null} onOpenChange={(open) => updateWallets({ choosing: open ? 'any' : null })}>
      <DialogContent
        title={walletWords.title}
        description={families.length > 1 ? walletWords.description : walletWords.signsNothing}
        focusTitle
      >
        <CloseWhenDone purpose={choosing} />
        {families.map((family) => (
          <Family key={family} name={walletWords.families[family]}>
            {wallets[family] === null ? (
              CHOICES[family]
            ) : (
              <ConnectedWalletCard
                wallet={wallets[family]}
                beforeSignIn={
                  sandbox.data &&
                  connected.length === 1 && <FundButton label={walletWords.fund.named(wallets[family].walletName)} />
                }
              />
            )}
          </Family>
        ))}
        {missing.length > 0 && connected.length === 0 && (
          <NoWalletFound families={missing} isAll={missing.length === families.length} />
        )}
        {connected.length > 0 && (
          <div className="flex flex-wrap items-start justify-between gap-2 border-t border-line pt-4">
            {sandbox.data && connected.length > 1 && <FundButton label={walletWords.fund.both} />}
            <Button
              tone={paysByWallet ? 'primary' : 'outline'}
              className="ml-auto"
              onClick={() => updateWallets({ choosing: null })}
            >
              {walletWords.done}
            </Button>
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

function CloseWhenDone({ purpose }: { purpose: WalletPurpose | null }) {
  const credential = useCredential();
  const connected = useConnectedWallets().map(({ address }) => address);
  const payer = credential.kind === 'wallet' ? credential.address : null;
  const [before] = useState({ connected, payer });
  const isDone =
    purpose === 'connect'
      ? connected.some((address) => !before.connected.includes(address))
      : purpose === 'pay' && payer !== null && payer !== before.payer;
  useEffect(() => {
    if (isDone) updateWallets({ choosing: null });
  }, [isDone]);
  return null;
}

/** Returns the families that this gateway can use, then the other families for which this browser has a wallet. */
function useShownFamilies(): readonly WalletFamily[] {
  const { data } = useGatewaySettings();
  const missing = useMissingFamilies();
  const ofUse = familiesOfUse(data ?? null);
  return [...ofUse, ...WALLET_FAMILIES.filter((family) => !ofUse.includes(family) && !missing.includes(family))];
}

/** Ignores the demo wallet. */
function useMissingFamilies(): readonly WalletFamily[] {
  const wallets = useWallets();
  const has: Record<WalletFamily, boolean> = { evm: useHasEvmWallet(), solana: useHasSolanaWallet() };
  return WALLET_FAMILIES.filter((family) => wallets[family] === null && !has[family]);
}

function Family({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="grid gap-2">
      <h3 className="text-sm font-medium">{name}</h3>
      {children}
    </section>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential';
import { sameAddress, shortAddress } from '@/lib/browser/wallet/wallet-address';
import { chooseWallet, useConnectedWallets, useWallets } from '@/lib/browser/wallet/wallet-store';
import { shellWords } from '@/lib/browser/words/shell';
import { Wallet } from 'lucide-react';

/** One button for wallets of all families. Connects a wallet and shows the connected ones. */
export function WalletButton() {
  const { choosing, layer } = useWallets();
  const connected = useConnectedWallets();
  const credential = useCredential();
  const pays = ({ address }: { address: string }): boolean =>
    credential.kind === 'wallet' && sameAddress(credential.address, address);
  const isChoosing = choosing !== null;
  const isLoading = isChoosing && layer === null;
  const first = connected[0];
  const label =
    connected.length === 0
      ? shellWords.wallet.connect
      : shellWords.wallet.connected(connected.map(({ address }) => shortAddress(address)));
  return (
    <Button
      tone="quiet"
      onClick={() => chooseWallet('any')}
      aria-haspopup="dialog"
      aria-expanded={isChoosing}
      aria-busy={isLoading}
      aria-label={label}
      title={label}
      className="min-w-0 px-2 xl:w-36"
    >
      <Wallet aria-hidden className={connected.length > 0 ? 'text-amber-ink' : undefined} />
      {first === undefined ? (
        <span className="hidden xl:inline">{isLoading ? shellWords.wallet.loading : shellWords.wallet.connect}</span>
      ) : (
        <span className="figures hidden min-w-0 truncate text-xs xl:inline">
          {/* Shows the wallet's name if it pays, because the payment control already shows its address. */}
          {pays(first) ? first.walletName : shortAddress(first.address)}
          {connected.length > 1 && <span className="text-dim"> +{connected.length - 1}</span>}
        </span>
      )}
    </Button>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { Wallet } from 'lucide-react';

/** One button for wallets of both families: connects, and shows who is connected. */
export function WalletButton() {
  const { evm, solana, isChoosing, layer } = useWallets();
  const connected = [evm, solana].flatMap((wallet) => (wallet === null ? [] : [wallet]));
  const isLoading = isChoosing && layer === null;
  const first = connected[0];
  const label = connected.length === 0 ? 'Connect wallet' : `Wallets: ${connected.map(({ address }) => shortAddress(address)).join(' and ')}`;
  return (
    <Button onClick={chooseWallet} aria-haspopup="dialog" aria-expanded={isChoosing} aria-busy={isLoading} aria-label={label} title={label} className="min-w-0 px-2.5">
      <Wallet aria-hidden className={connected.length > 0 ? 'text-amber-ink' : undefined} />
      {first === undefined ? (
        <span className="hidden lg:inline">{isLoading ? 'Loading…' : 'Connect wallet'}</span>
      ) : (
        <span className="figures hidden text-xs lg:inline">
          {shortAddress(first.address)}
          {connected.length > 1 && <span className="text-dim"> +1</span>}
        </span>
      )}
    </Button>
  );
}

'use client';

import { useWalletsWanted } from '@/lib/browser/wallet/wallet-store';
import dynamic from 'next/dynamic';

const WalletLayer = dynamic(() => import('./wallet-layer').then((module) => module.WalletLayer), { ssr: false });

/** Where the wallets' libraries are, once they are wanted. */
export function WalletSlot() {
  return useWalletsWanted() ? <WalletLayer /> : null;
}

'use client';

import { useSyncExternalStore } from 'react';
import type { Config } from 'wagmi';
import { createStoredValue, useStoredValue } from '../stored-value';
import type { WalletFamily } from './wallet-address';

/** A wallet that is connected to this page. */
export interface ConnectedWallet {
  family: WalletFamily;
  address: string;
  /** What the wallet calls itself. */
  walletName: string;
  /** Its keys are kept by this page, in this browser. */
  isDemo: boolean;
  /** The chain that an EVM wallet is on. */
  chainId: number | null;
}

/** What can be asked of the wallets once their libraries are loaded. */
export interface WalletLayer {
  evmConfig: Config;
  /** Asks the wallet to sign a text: personal_sign as hex, or ed25519 as base58. Rejects where the person refuses. */
  signMessage(family: WalletFamily, text: string): Promise<string>;
  /** Asks the Solana wallet to sign a transaction in its wire format. Rejects where the person refuses. */
  signSolanaTransaction(transaction: Uint8Array): Promise<Uint8Array>;
  disconnect(family: WalletFamily): Promise<void>;
}

/** The wallets of this page, and how far their libraries have come. */
export interface WalletState {
  /** null until the libraries are loaded. */
  layer: WalletLayer | null;
  evm: ConnectedWallet | null;
  solana: ConnectedWallet | null;
  /** Whether the list of wallets is shown. */
  isChoosing: boolean;
}

const NONE: WalletState = { layer: null, evm: null, solana: null, isChoosing: false };

let current = NONE;
const listeners = new Set<() => void>();

/** Wallets were connected here before: their libraries load with the page. Everybody else never loads them. */
const usedBeforeStore = createStoredValue<boolean>({ key: 'turnpike.wallets-used', initial: false, parse: (stored) => stored === true });

/** The wallets as they stand. */
export function useWallets(): WalletState {
  return useSyncExternalStore(subscribe, walletState, () => NONE);
}

export function walletState(): WalletState {
  return current;
}

/** Changes parts of the state. For the wallet layer, and for opening and closing its list. */
export function updateWallets(changes: Partial<WalletState>): void {
  const next = { ...current, ...changes };
  if (next.evm !== null || next.solana !== null) {
    if (!usedBeforeStore.get()) usedBeforeStore.set(true);
  } else if ((current.evm !== null || current.solana !== null) && usedBeforeStore.get()) usedBeforeStore.set(false);
  current = next;
  listeners.forEach((listener) => listener());
}

/** Shows the list of wallets, loading their libraries first. */
export function chooseWallet(): void {
  updateWallets({ isChoosing: true });
}

/** Whether the libraries of wallets are to be loaded: somebody asked, or did before. */
export function useWalletsWanted(): boolean {
  const { isChoosing, layer } = useWallets();
  return useStoredValue(usedBeforeStore) || isChoosing || layer !== null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

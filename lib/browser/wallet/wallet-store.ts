'use client';

import type { Config } from 'wagmi';
import { useBrowserStore } from '../browser-store';
import { createStoredValue } from '../stored-value';
import { isWalletFamily, WALLET_FAMILIES, walletKey, type WalletFamily } from '@/lib/protocol/wallet-address';
import { WalletTrouble } from './wallet-trouble';

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
  /** It was connected when this browser was here last; whether it still is, its library has yet to say. */
  isRemembered?: boolean;
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

/** What somebody opens the list of wallets for: to see to them, to have one connected, or to have one pay. Its end closes the list. */
export type WalletPurpose = 'any' | 'connect' | 'pay';

type ByFamily = Record<WalletFamily, ConnectedWallet | null>;

/** The wallets of this page, and how far their libraries have come. */
export interface WalletState extends ByFamily {
  /** null until the libraries are loaded. */
  layer: WalletLayer | null;
  /** What the list of wallets is shown for; null while it is not. */
  choosing: WalletPurpose | null;
  /** Whether something waits for the libraries. */
  isNeeded: boolean;
}

const NONE: WalletState = { layer: null, evm: null, solana: null, choosing: null, isNeeded: false };
const ANSWER_TIMEOUT_MS = 20_000;
const REMEMBERED_MAX = WALLET_FAMILIES.length;

let current: WalletState | null = null;
const listeners = new Set<() => void>();

/**
 * The wallets that were connected here before: they are shown at once, and their libraries load when the page has
 * nothing better to do. Everybody else never loads them.
 */
const rememberedStore = createStoredValue<readonly ConnectedWallet[]>({
  key: 'turnpike.wallets',
  initial: [],
  parse: parseRemembered,
});

/** The wallets as they stand. */
export function useWallets(): WalletState {
  return useBrowserStore(subscribe, walletState, () => NONE);
}

/** Those that are connected, of whatever families, in their order. */
export function useConnectedWallets(): readonly ConnectedWallet[] {
  return connectedOf(useWallets());
}

function connectedOf(wallets: ByFamily): readonly ConnectedWallet[] {
  return WALLET_FAMILIES.flatMap((family) => wallets[family] ?? []);
}

export function walletState(): WalletState {
  return (current ??= {
    ...NONE,
    ...byFamily(rememberedStore.get().map((wallet) => ({ ...wallet, isRemembered: true }))),
  });
}

/** Changes parts of the state. For the wallet layer, and for opening and closing its list. */
export function updateWallets(changes: Partial<WalletState>): void {
  const state = (current = { ...walletState(), ...changes });
  const connected = connectedOf(state).map((wallet) => ({ ...wallet, isRemembered: false }));
  if (JSON.stringify(connected) !== JSON.stringify(rememberedStore.get())) rememberedStore.set(connected);
  listeners.forEach((listener) => listener());
}

/**
 * What can be asked of a wallet, as soon as its library has loaded and found it again.
 * @throws WalletTrouble where the wallet is not connected, or not found within 20 s
 */
export function walletLayer(family: WalletFamily): Promise<WalletLayer> {
  return new Promise((resolve, reject) => {
    const settle = (): boolean => {
      const { layer, [family]: wallet } = walletState();
      if (wallet === null) reject(new WalletTrouble('gone'));
      else if (layer === null || wallet.isRemembered === true) return false;
      else resolve(layer);
      return true;
    };
    if (settle()) return;
    updateWallets({ isNeeded: true });
    const stop = () => {
      clearTimeout(timer);
      unsubscribe();
    };
    const timer = setTimeout(() => {
      stop();
      reject(new WalletTrouble('slow'));
    }, ANSWER_TIMEOUT_MS);
    const unsubscribe = subscribe(() => void (settle() && stop()));
  });
}

/** Shows the list of wallets, loading their libraries first. */
export function chooseWallet(purpose: WalletPurpose): void {
  updateWallets({ choosing: purpose });
}

/** How much the libraries of wallets are wanted: at once, when the page is idle, or not at all. */
export function useWalletsWanted(): 'now' | 'idle' | 'no' {
  const wallets = useWallets();
  if (wallets.choosing !== null || wallets.isNeeded || wallets.layer !== null) return 'now';
  return connectedOf(wallets).length > 0 ? 'idle' : 'no';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function byFamily(wallets: readonly ConnectedWallet[]): ByFamily {
  return {
    evm: wallets.find(({ family }) => family === 'evm') ?? null,
    solana: wallets.find(({ family }) => family === 'solana') ?? null,
  };
}

/** Keeps what is whole; an older or a foreign shape must not break the page. */
function parseRemembered(stored: unknown): readonly ConnectedWallet[] | null {
  return Array.isArray(stored) ? stored.slice(0, REMEMBERED_MAX).filter(isWallet) : null;
}

function isWallet(value: unknown): value is ConnectedWallet {
  if (typeof value !== 'object' || value === null) return false;
  const { family, address, walletName, isDemo, chainId } = value as Record<keyof ConnectedWallet, unknown>;
  return (
    isWalletFamily(family) &&
    typeof address === 'string' &&
    walletKey(address) !== null &&
    typeof walletName === 'string' &&
    typeof isDemo === 'boolean' &&
    (chainId === null || typeof chainId === 'number')
  );
}

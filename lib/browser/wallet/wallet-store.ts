'use client';

import { createStoredValue, useBrowserStore } from '@/lib/browser/storage/stored-value';
import { isWalletFamily, WALLET_FAMILIES, type WalletFamily, walletKey } from '@/lib/protocol/wallet-address';
import type { Config } from 'wagmi';

export type { WalletFamily } from '@/lib/protocol/wallet-address';

export interface ConnectedWallet {
  family: WalletFamily;
  address: string;
  walletName: string;
  /** True for a demo wallet, whose private keys are in this browser. */
  isDemo: boolean;
  chainId: number | null;
  /** True if the wallet was connected at the last visit and its library has not reconnected it yet. */
  isRemembered?: boolean;
}

/** Functions of the connected wallets, available once their libraries have loaded. */
export interface WalletLayer {
  evmConfig: Config;
  /**
   * Asks the wallet to sign a text. Returns the hex signature of personal_sign, or an ed25519 signature in base58.
   * Rejects if the user refuses.
   */
  signMessage(family: WalletFamily, text: string): Promise<string>;
  /** Asks the Solana wallet to sign a transaction in wire format. Rejects if the user refuses. */
  signSolanaTransaction(transaction: Uint8Array): Promise<Uint8Array>;
  disconnect(family: WalletFamily): Promise<void>;
}

/** Purpose for which the wallet list is open. The list closes when the purpose is achieved. */
export type WalletPurpose = 'any' | 'connect' | 'pay';

type ByFamily = Record<WalletFamily, ConnectedWallet | null>;

export interface WalletState extends ByFamily {
  layer: WalletLayer | null;
  /** Null while the wallet list is closed. */
  choosing: WalletPurpose | null;
  /** True while a caller waits for the libraries. */
  isNeeded: boolean;
}

const NONE: WalletState = { layer: null, evm: null, solana: null, choosing: null, isNeeded: false };
const ANSWER_TIMEOUT_MS = 20_000;
const REMEMBERED_MAX = WALLET_FAMILIES.length;

let current: WalletState | null = null;
const listeners = new Set<() => void>();

/**
 * Wallets that were previously connected in this browser. The page shows them immediately and loads their libraries
 * when idle.
 */
const rememberedStore = createStoredValue<readonly ConnectedWallet[]>({
  key: 'turnpike.wallets',
  initial: [],
  parse: parseRemembered,
});

export function useWallets(): WalletState {
  return useBrowserStore(subscribe, walletState, () => NONE);
}

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

/** Changes parts of the state. Only the wallet layer and the wallet dialog call this function. */
export function updateWallets(changes: Partial<WalletState>): void {
  const state = (current = { ...walletState(), ...changes });
  const connected = connectedOf(state).map((wallet) => ({ ...wallet, isRemembered: false }));
  if (JSON.stringify(connected) !== JSON.stringify(rememberedStore.get())) rememberedStore.set(connected);
  listeners.forEach((listener) => listener());
}

/**
 * Resolves with the functions of a family's wallet, once the library has loaded and reconnected the wallet.
 * @throws WalletTrouble if the wallet is not connected, or not found within 20 s
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

export function chooseWallet(purpose: WalletPurpose): void {
  updateWallets({ choosing: purpose });
}

/** Returns when to load the wallet libraries: now, when idle, or not at all. */
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

/** Returns whether two addresses are equal. Ignores case in hex addresses but not in base58. */
export function sameAddress(one: string, other: string): boolean {
  return one === other || (walletKey(one) !== null && walletKey(one)?.key === walletKey(other)?.key);
}

/** Shortens an address for a button: `0x1a2b…9f0e`, `7Np4…tz1K`. */
export function shortAddress(address: string): string {
  const head = address.startsWith('0x') ? 6 : 4;
  return address.length <= head + 5 ? address : `${address.slice(0, head)}…${address.slice(-4)}`;
}

export type WalletFailureKind =
  | 'refused'
  | 'wrong-chain'
  | 'other-account'
  | 'locked'
  | 'slow'
  | 'gone'
  | 'cannot'
  | 'no-gas'
  | 'busy'
  | 'replaced'
  | 'reverted'
  | 'other';

/** Failure that this page itself detected. `walletFailureOf` returns the text to display. */
export class WalletTrouble extends Error {
  override readonly name = 'WalletTrouble';

  constructor(readonly kind: WalletFailureKind) {
    super(`The wallet did not do what it was asked: ${kind}.`);
  }
}

/**
 * Replaces @solana-mobile/wallet-adapter-mobile, which depends on React Native. Exports the names that
 * @solana/wallet-adapter-react imports. That package uses the adapter only in Android browsers.
 */
import { BaseMessageSignerWalletAdapter, WalletNotReadyError, WalletReadyState } from '@solana/wallet-adapter-base';
import type { WalletName } from '@solana/wallet-adapter-base';

export const SolanaMobileWalletAdapterWalletName = 'Mobile Wallet Adapter' as WalletName;

export class SolanaMobileWalletAdapter extends BaseMessageSignerWalletAdapter {
  readonly name = SolanaMobileWalletAdapterWalletName;
  readonly url = '';
  readonly icon = '';
  readonly readyState = WalletReadyState.Unsupported;
  readonly publicKey = null;
  readonly connecting = false;
  readonly supportedTransactionVersions = null;

  connect(): Promise<void> {
    return Promise.reject(new WalletNotReadyError());
  }

  disconnect(): Promise<void> {
    return Promise.resolve();
  }

  signTransaction(): Promise<never> {
    return Promise.reject(new WalletNotReadyError());
  }

  signMessage(): Promise<never> {
    return Promise.reject(new WalletNotReadyError());
  }
}

export function createDefaultAddressSelector(): null {
  return null;
}

export function createDefaultAuthorizationResultCache(): null {
  return null;
}

export function createDefaultWalletNotFoundHandler(): null {
  return null;
}

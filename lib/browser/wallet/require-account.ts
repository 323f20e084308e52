import { sameAddress, type WalletFamily } from './wallet-address';
import { WalletTrouble } from './wallet-trouble';
import { walletState } from './wallet-store';

/**
 * Sees that a wallet is still on the account for which something was prepared, before it is asked to sign it.
 * @throws WalletTrouble `gone` or `other-account`
 */
export function requireAccount(family: WalletFamily, address: string): void {
  const connected = walletState()[family];
  if (connected === null) throw new WalletTrouble('gone');
  if (!sameAddress(connected.address, address)) throw new WalletTrouble('other-account');
}

import { sameAddress, type WalletFamily } from './wallet-address';
import { WalletTrouble } from './wallet-trouble';
import { walletState } from './wallet-store';

/**
 * Checks before signing that a wallet still has the account for which the page prepared the request.
 * @throws WalletTrouble `gone` or `other-account`
 */
export function requireAccount(family: WalletFamily, address: string): void {
  const connected = walletState()[family];
  if (connected === null) throw new WalletTrouble('gone');
  if (!sameAddress(connected.address, address)) throw new WalletTrouble('other-account');
}

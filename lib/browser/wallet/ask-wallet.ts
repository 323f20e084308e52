import { inTime } from '@/lib/client/in-time';
import { sameAddress, type WalletFamily, walletState, WalletTrouble } from './wallet-store';

/** Maximum wait. It leaves time to read the request or to find a hardware wallet. */
export const WALLET_ANSWERS_WITHIN_MS = 180_000;

/**
 * Awaits a wallet's answer until a timeout; ignores a later answer.
 * @throws WalletTrouble `slow` at the timeout; the wallet's refusal
 */
export function askInTime<T>(asked: Promise<T>, withinMs: number = WALLET_ANSWERS_WITHIN_MS): Promise<T> {
  return inTime(asked, withinMs, () => new WalletTrouble('slow'));
}

/**
 * Checks before signing that a wallet still has the account for which the page prepared the request.
 * @throws WalletTrouble `gone` or `other-account`
 */
export function requireAccount(family: WalletFamily, address: string): void {
  const connected = walletState()[family];
  if (connected === null) throw new WalletTrouble('gone');
  if (!sameAddress(connected.address, address)) throw new WalletTrouble('other-account');
}

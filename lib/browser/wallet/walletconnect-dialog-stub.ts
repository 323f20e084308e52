/**
 * Replaces @reown/appkit, WalletConnect's dialog, which has seventy dependencies. The dialog is off (`showQrModal:
 * false` in use-wallet-setup.ts), because the console shows the QR code itself.
 */
export function createAppKit(): never {
  throw new Error('WalletConnect asked for its own dialog, which the console does not include.');
}

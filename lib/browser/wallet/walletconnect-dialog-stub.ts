/**
 * Stands in for @reown/appkit, WalletConnect's own dialog, which brings seventy packages along. Its provider loads it
 * only where it is to show that dialog, and here it never is (`showQrModal: false` in evm-config.ts): the console
 * shows the code to scan itself.
 */
export function createAppKit(): never {
  throw new Error('WalletConnect was asked for a dialog of its own, which the console does without.');
}

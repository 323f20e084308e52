import type { Connector } from 'wagmi';
import { DEMO_WALLET_RDNS } from './demo/demo-evm-provider';

/**
 * Hides malformed wallet announcements (EIP-6963) from later listeners. Otherwise wagmi would throw, and one broken
 * extension would hide all wallets.
 */
export function ignoreMalformedAnnouncements(): void {
  window.addEventListener(
    'eip6963:announceProvider',
    (event) => !isAnnouncement((event as CustomEvent<unknown>).detail) && event.stopImmediatePropagation(),
    { capture: true },
  );
}

/**
 * Returns whether an announcement contains a wallet's name and an EIP-1193 provider. An icon is optional. Never throws.
 */
export function isAnnouncement(detail: unknown): boolean {
  try {
    const { info, provider } = detail as { info: Record<string, unknown>; provider: { request: unknown } };
    return (
      [info['uuid'], info['name'], info['rdns']].every(isName) &&
      typeof (info['icon'] ?? '') === 'string' &&
      typeof provider.request === 'function'
    );
  } catch {
    // A property is missing, or a getter throws.
    return false;
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Id of the `window.ethereum` connector, through which older wallets appear without a name. */
export const UNNAMED_WALLET = 'injected';

/**
 * Returns the EVM wallets of this browser, the demo wallet last. Includes announced wallets (EIP-6963). If no wallet
 * except the demo wallet was announced, includes the unnamed wallet.
 * @param hasUnnamed whether the page has a `window.ethereum`
 */
export function presentWallets<C extends Pick<Connector, 'id' | 'type'>>(
  connectors: readonly C[],
  hasUnnamed: boolean,
): C[] {
  const announced = connectors.filter(({ type, id }) => type === 'injected' && id !== UNNAMED_WALLET);
  const hasOwn = announced.some(({ id }) => id !== DEMO_WALLET_RDNS);
  const unnamed = !hasOwn && hasUnnamed ? connectors.filter(({ id }) => id === UNNAMED_WALLET).slice(0, 1) : [];
  return [...unnamed, ...announced].sort(
    (one, other) => Number(one.id === DEMO_WALLET_RDNS) - Number(other.id === DEMO_WALLET_RDNS),
  );
}

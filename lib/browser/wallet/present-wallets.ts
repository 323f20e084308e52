import type { Connector } from 'wagmi';
import { DEMO_WALLET_RDNS } from './demo/announce-evm';

/** Connector of `window.ethereum`, through which older wallets appear without a name. */
export const UNNAMED_WALLET = 'injected';

/**
 * Returns the EVM wallets of this browser, the demo wallet last. Includes announced wallets (EIP-6963), with or without
 * an icon. If none of them is the user's own, includes the unnamed wallet.
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

import type { Connector } from 'wagmi';
import { DEMO_WALLET_RDNS } from './demo/announce-evm';

/** Connector of what a wallet of the old kind puts into the page (`window.ethereum`), which has no name. */
export const UNNAMED_WALLET = 'injected';

/**
 * Returns the EVM wallets of this browser, the demo wallet last: those that announce themselves (EIP-6963), with or without an
 * icon, or, where none of them is the person's own, the one without a name.
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

import type { DemoEvmProvider } from './demo-evm-provider';
import { newId } from '../../new-id';
import { DEMO_WALLET_NAME, demoIcon } from './demo-icon';

export const DEMO_WALLET_RDNS = 'dev.turnpike.demo';

/** Announces the provider now and at each request, as EIP-6963 requires. @returns function that stops announcing */
export function announceEvm(provider: DemoEvmProvider): () => void {
  const detail = Object.freeze({
    info: Object.freeze({ uuid: newId(), name: DEMO_WALLET_NAME, icon: demoIcon(), rdns: DEMO_WALLET_RDNS }),
    provider,
  });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
  return () => window.removeEventListener('eip6963:requestProvider', announce);
}

import { newId } from '@/lib/browser/page/new-id';
import type { DemoEvmProvider } from './demo-evm-provider';

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

/** Icon of both demo wallets, unlike any real wallet's icon. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#f2a31b"/><path d="M13 7h6M14.500 7v6.200l-5 8.600A2 2 0 0 0 11.200 25h9.600a2 2 0 0 0 1.700-3.200l-5-8.600V7M11.800 19h8.400" fill="none" stroke="#221500" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const DEMO_WALLET_NAME = 'Demo wallet';

/** Returns the icon as a data URL. Wallet Standard requires a data URL, and EIP-6963 accepts one. */
export function demoIcon(): `data:image/svg+xml;base64,${string}` {
  return `data:image/svg+xml;base64,${btoa(SVG)}`;
}

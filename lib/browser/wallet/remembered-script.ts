import { POOL_HEIGHTS_SCRIPT } from '../staking/pool-heights';

/**
 * Inline script in the document head. Before the first paint, sets `data-wallets="evm solana"` to the families of
 * wallets connected here before, and the heights of two cards of the Keys page, so that pages reserve space.
 * `wallet-store.ts` uses the same key.
 */
export const REMEMBERED_WALLETS_SCRIPT = `try{document.documentElement.dataset.wallets=JSON.parse(localStorage.getItem('turnpike.wallets')).map(function(w){return w.family}).join(' ')}catch(e){};${POOL_HEIGHTS_SCRIPT}`;

import { POOL_HEIGHTS_SCRIPT } from '../staking/pool-heights';

/**
 * Inline script in the document head. Before the first paint, sets `data-wallets="evm solana"` to the families of
 * wallets connected here before, so that pages reserve space for them. `wallet-store.ts` uses the same key. Also sets
 * the heights of the two cards of the Keys page whose height depends on the wallet.
 */
export const REMEMBERED_WALLETS_SCRIPT = `try{document.documentElement.dataset.wallets=JSON.parse(localStorage.getItem('turnpike.wallets')).map(function(w){return w.family}).join(' ')}catch(e){};${POOL_HEIGHTS_SCRIPT}`;

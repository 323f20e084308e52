import { POOL_HEIGHTS_SCRIPT } from '../staking/pool-heights';

/**
 * Says before the first paint, as `data-wallets="evm solana"` on the document, which families of wallets were connected
 * here before, so that a page gives their places the right size from the beginning. Runs as an inline script in the
 * document head, before there is any other; `wallet-store.ts` keeps the wallets under the same key.
 * So are the heights of the two cards that differ from wallet to wallet.
 */
export const REMEMBERED_WALLETS_SCRIPT = `try{document.documentElement.dataset.wallets=JSON.parse(localStorage.getItem('turnpike.wallets')).map(function(w){return w.family}).join(' ')}catch(e){};${POOL_HEIGHTS_SCRIPT}`;

/** Inline scripts of the document head, which run before the first paint. */

/** Cards of the Keys page whose height depends on the wallet. */
export type PoolCardName = 'right' | 'allocation';

const KEY = 'turnpike.pool-heights';

type Heights = { width: number } & Partial<Record<PoolCardName, number>>;

/** Sets `--pool-right` and `--pool-allocation` to the cards' last heights in a window of this width. */
export const POOL_HEIGHTS_SCRIPT = `try{var h=JSON.parse(localStorage.getItem('${KEY}'));if(h.width===innerWidth)['right','allocation'].forEach(function(n){if(h[n]>0)document.documentElement.style.setProperty('--pool-'+n,h[n]+'px')})}catch(e){}`;

/** Stores a card's height, so that the next page reserves the space. */
export function rememberPoolHeight(name: PoolCardName, heightPx: number): void {
  document.documentElement.style.setProperty(`--pool-${name}`, `${heightPx}px`);
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Heights | null;
    const before = stored?.width === window.innerWidth ? stored : {};
    localStorage.setItem(KEY, JSON.stringify({ ...before, width: window.innerWidth, [name]: heightPx }));
  } catch {
    // Without a stored height, the default fits a new wallet.
  }
}

/**
 * Sets `data-wallets` to the families of the wallets last connected in this browser, such as `evm solana`. Also sets
 * the heights of the Keys page's cards. Pages use both to reserve space. `wallet-store.ts` uses the same storage key.
 */
export const REMEMBERED_WALLETS_SCRIPT = `try{document.documentElement.dataset.wallets=JSON.parse(localStorage.getItem('turnpike.wallets')).map(function(w){return w.family}).join(' ')}catch(e){};${POOL_HEIGHTS_SCRIPT}`;

/**
 * Sets `data-conversation` if this tab has an open conversation, so that the empty page's text does not flash.
 * `conversation-store.ts` uses the same storage key.
 */
export const REMEMBERED_CONVERSATION_SCRIPT = `try{if(JSON.parse(sessionStorage.getItem('turnpike.chat')))document.documentElement.dataset.conversation=''}catch(e){}`;

/** Sets `data-steps-done` once all first steps are done. `first-steps-done.ts` uses the same storage key. */
export const FIRST_STEPS_SCRIPT = `try{if(JSON.parse(localStorage.getItem('turnpike.first-steps')).length===6)document.documentElement.dataset.stepsDone=''}catch(e){}`;

/** Applies the stored theme. `theme.ts` uses the same storage key. */
export const THEME_SCRIPT = `try{var t=JSON.parse(localStorage.getItem('turnpike.theme'));if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

/**
 * Makes Next hydrate in a new task after the first frame (docs/decisions/console.md, 248). Next reduces its queue of
 * scripts, `__next_s`, to a promise and hydrates when it resolves. A hidden page has no frames and waits 300 ms.
 */
export const HYDRATION_TASK_SCRIPT = `(self.__next_s=[[0,{children:''}]]).reduce=function(){return new Promise(function(r){requestAnimationFrame(function(){setTimeout(r)});setTimeout(r,300)})}`;

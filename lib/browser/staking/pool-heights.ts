/** Cards of the Keys page whose height depends on the wallet. */
export type PoolCardName = 'right' | 'allocation';

const KEY = 'turnpike.pool-heights';

type Heights = { width: number } & Partial<Record<PoolCardName, number>>;

/**
 * Inline script in the document head. Sets `--pool-right` and `--pool-allocation` before the first paint to the cards'
 * last heights in a window of this width.
 */
export const POOL_HEIGHTS_SCRIPT = `try{var h=JSON.parse(localStorage.getItem('${KEY}'));if(h.width===innerWidth)['right','allocation'].forEach(function(n){if(h[n]>0)document.documentElement.style.setProperty('--pool-'+n,h[n]+'px')})}catch(e){}`;

/** Stores a card's height, so that the next page reserves the space. Works without storage. */
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

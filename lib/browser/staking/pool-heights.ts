/** The cards of the Keys page whose height depends on what a wallet has. */
export type PoolCardName = 'right' | 'allocation';

const KEY = 'turnpike.pool-heights';

/** What is stored: heights in CSS pixels, true for windows of one width only. */
type Heights = { width: number } & Partial<Record<PoolCardName, number>>;

/**
 * Sets `--pool-right` and `--pool-allocation` on the document before the first paint, to what the cards were high when
 * they were last seen in a window of this width: a wallet with a stake has other lines in them than one without. Runs
 * as an inline script in the document head.
 */
export const POOL_HEIGHTS_SCRIPT = `try{var h=JSON.parse(localStorage.getItem('${KEY}'));if(h.width===innerWidth)['right','allocation'].forEach(function(n){if(h[n]>0)document.documentElement.style.setProperty('--pool-'+n,h[n]+'px')})}catch(e){}`;

/** Remembers how high a card is, for the place that is kept for it the next time. Loses nothing where the storage is full or blocked. */
export function rememberPoolHeight(name: PoolCardName, heightPx: number): void {
  document.documentElement.style.setProperty(`--pool-${name}`, `${heightPx}px`);
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Heights | null;
    const before = stored?.width === window.innerWidth ? stored : {};
    localStorage.setItem(KEY, JSON.stringify({ ...before, width: window.innerWidth, [name]: heightPx }));
  } catch {
    // The places then have the size that a new wallet needs.
  }
}

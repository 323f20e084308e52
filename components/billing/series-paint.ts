import type { Series } from './stacked-sums';

export const PRODUCT_COLOURS: Readonly<Record<string, string>> = {
  rpc: 'bg-blue',
  chat: 'bg-violet',
  speech: 'bg-teal',
  video: 'bg-rose',
  images: 'bg-amber',
  embeddings: 'bg-good',
};
/** Opacities of the first, second and later series of one color. */
const TINTS = ['', 'opacity-75', 'opacity-55', 'opacity-40', 'opacity-25'];
const NEUTRAL = 'bg-edge';

/** Returns the CSS classes of a series: its product's or status's color, tinted. */
export function paintOf({ kind, id, product, tint }: Pick<Series, 'kind' | 'id' | 'product' | 'tint'>): string {
  if (kind !== 'named') return NEUTRAL;
  const tinted = TINTS[Math.min(tint, TINTS.length - 1)] ?? '';
  if (product !== null) return `${PRODUCT_COLOURS[product] ?? 'bg-dim'} ${tinted}`;
  if (/^2\d\d$/.test(id)) return `bg-good ${tinted}`;
  if (/^4\d\d$/.test(id)) return `bg-amber ${tinted}`;
  return /^5\d\d$|^interrupted$/.test(id) ? `bg-bad ${tinted}` : `bg-dim ${tinted}`;
}

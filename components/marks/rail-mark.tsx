import { cn } from '@/components/ui/class-names';
import { Globe } from 'lucide-react';

/**
 * Image files in `public/marks`. As SVG paths in a script, the images would exceed the size limits of the Top up and
 * RPC pages.
 */
export const RAIL_MARKS: readonly string[] = [
  'arbitrum',
  'avalanche',
  'base',
  'blast',
  'bsc',
  'ethereum',
  'linea',
  'optimism',
  'polygon',
  'solana',
  'starknet',
  'zksync',
];

export function RailMark({ slug, className }: { slug: string; className?: string }) {
  const name = slug.split('-')[0] ?? '';
  const classes = cn('size-4 shrink-0', className);
  if (!RAIL_MARKS.includes(name)) return <Globe aria-hidden className={classes} />;
  const mask = `url(/marks/${name}.svg) center / contain no-repeat`;
  return <span aria-hidden className={cn('inline-block bg-current', classes)} style={{ mask }} />;
}

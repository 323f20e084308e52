import { cn } from '@/components/ui/class-names';
import { Globe } from 'lucide-react';

/** Names of the files in `public/marks`. Inside a script, the paths would exceed the size limit of the Top up page. */
export const RAIL_MARKS: readonly string[] = [
  'arbitrum',
  'avalanche',
  'base',
  'ethereum',
  'linea',
  'optimism',
  'polygon',
  'solana',
];

export function RailMark({ slug, className }: { slug: string; className?: string }) {
  const name = slug.split('-')[0] ?? '';
  const classes = cn('size-4 shrink-0', className);
  if (!RAIL_MARKS.includes(name)) return <Globe aria-hidden className={classes} />;
  const mask = `url(/marks/${name}.svg) center / contain no-repeat`;
  return <span aria-hidden className={cn('inline-block bg-current', classes)} style={{ mask }} />;
}

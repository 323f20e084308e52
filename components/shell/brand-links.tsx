'use client';

import { useBrand } from '@/lib/browser/brand';
import { shellWords } from '@/lib/browser/words/shell';
import { cn } from '@/components/ui/class-names';

const KINDS = ['terms', 'privacy', 'support', 'status'] as const;

/** Links to the operator's pages; nothing without any. */
export function BrandLinks({ className }: { className?: string }) {
  const { links } = useBrand();
  const shown = KINDS.flatMap((kind) => {
    const href = links[kind];
    return href === undefined ? [] : [{ kind, href }];
  });
  if (shown.length === 0) return null;
  return (
    <ul aria-label={shellWords.operatorPages.name} className={cn('flex flex-wrap gap-x-3 gap-y-1 text-xs', className)}>
      {shown.map(({ kind, href }) => (
        <li key={kind}>
          <a href={href} target="_blank" rel="noreferrer" className="text-dim hover:text-ink hover:underline">
            {shellWords.operatorPages[kind]}
          </a>
        </li>
      ))}
    </ul>
  );
}

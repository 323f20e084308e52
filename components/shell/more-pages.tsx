'use client';

import { cn } from '@/components/ui/class-names';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { shellWords } from '@/lib/browser/words/shell';
import { ChevronUp } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { BAR_LINK } from './bar-link';
import type { ConsolePage } from './console-pages';
import { RailLink } from './rail-link';

/** Button for the pages that do not fit on a phone. Shows which of them is open. */
export function MorePages({
  pages,
  icons,
  moreIcon,
}: {
  pages: readonly ConsolePage[];
  icons: Readonly<Record<string, ReactNode>>;
  moreIcon: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  const current = pages.find(({ href }) => href === path);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger
        aria-label={
          current === undefined ? shellWords.navigation.morePages : shellWords.navigation.morePagesAt(current.title)
        }
        data-current={current && ''}
        className={cn('flex items-center text-dim', BAR_LINK, current && 'bg-hover font-medium text-ink')}
      >
        {current === undefined ? moreIcon : icons[current.href]}
        <span aria-hidden className="flex items-center gap-0.5">
          {current?.shortTitle ?? current?.title ?? shellWords.navigation.more}
          {current && <ChevronUp className="size-3" />}
        </span>
      </PopoverTrigger>
      <PopoverContent align="end" className="grid w-56 gap-1 p-2" onClick={() => setOpen(false)}>
        {pages.map((page) => (
          <RailLink key={page.href} page={page} icon={icons[page.href]} className="h-11 px-2.5" />
        ))}
      </PopoverContent>
    </Popover>
  );
}

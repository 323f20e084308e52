'use client';

import { cn } from '@/components/ui/class-names';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { ChevronUp, Ellipsis } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { CONSOLE_PAGES, type ConsolePage } from './console-pages';
import { Lamp } from './lamp';

/** The pages, at the left: icons on a tablet, icons and names on a wide screen. */
export function Navigation() {
  return (
    <nav aria-label="Pages" className="hidden w-13 shrink-0 flex-col gap-1 border-r border-line bg-surface p-2 md:flex xl:w-44">
      <Link href="/" className="mb-2 flex h-8 items-center gap-2 rounded-md px-1.5 text-base font-semibold tracking-tight">
        <Lamp className="size-5.5 shrink-0" />
        <span className="sr-only xl:not-sr-only">Turnpike</span>
      </Link>
      {CONSOLE_PAGES.map((page) => (
        <RailLink key={page.href} page={page} className="h-8 px-2" labelClassName="sr-only xl:not-sr-only" />
      ))}
    </nav>
  );
}

const BAR_LINK = 'h-14 flex-col justify-center gap-1 rounded-none text-xs';

/** The same pages at the bottom of a phone, within reach of a thumb: the first ones, and the others behind "More". */
export function BottomBar() {
  return (
    <nav aria-label="Pages" className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-surface pb-safe md:hidden">
      {CONSOLE_PAGES.filter(({ isFolded }) => isFolded !== true).map((page) => (
        <RailLink key={page.href} page={page} short className={BAR_LINK} />
      ))}
      <MorePages pages={CONSOLE_PAGES.filter(({ isFolded }) => isFolded === true)} />
    </nav>
  );
}

function MorePages({ pages }: { pages: readonly ConsolePage[] }) {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  const current = pages.find(({ href }) => href === path);
  const Icon = current?.icon ?? Ellipsis;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger aria-label={current === undefined ? 'More pages' : `More pages: ${current.title}`} className={cn('flex items-center text-dim', BAR_LINK, current && 'bg-hover font-medium text-ink')}>
        <Icon aria-hidden className={cn('size-4.5 shrink-0', current && 'text-amber-ink')} />
        <span aria-hidden className="flex items-center gap-0.5">
          {current?.shortTitle ?? current?.title ?? 'More'}
          {current && <ChevronUp className="size-3" />}
        </span>
      </PopoverTrigger>
      <PopoverContent align="end" className="grid w-56 gap-1 p-2" onClick={() => setOpen(false)}>
        {pages.map((page) => (
          <RailLink key={page.href} page={page} className="h-11 px-2.5" />
        ))}
      </PopoverContent>
    </Popover>
  );
}

function RailLink({ page, className, labelClassName, short = false }: { page: ConsolePage; className: string; labelClassName?: string; short?: boolean }) {
  const current = usePathname() === page.href;
  const Icon = page.icon;
  return (
    <Link
      href={page.href}
      title={page.title}
      aria-current={current ? 'page' : undefined}
      className={cn('flex items-center gap-2.5 rounded-md text-sm transition-colors', current ? 'bg-hover font-medium text-ink' : 'text-dim hover:bg-hover hover:text-ink', className)}
    >
      <Icon aria-hidden className={cn('size-4.5 shrink-0', current && 'text-amber-ink')} />
      <span className={labelClassName}>{short ? (page.shortTitle ?? page.title) : page.title}</span>
    </Link>
  );
}

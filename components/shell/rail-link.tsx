'use client';

import { cn } from '@/components/ui/class-names';
import { PageLink } from '@/components/ui/page-link';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { CONSOLE_PAGES, type ConsolePage } from '@/lib/browser/page/console-pages';
import { useIsPageOffered } from '@/lib/browser/reads/settings';
import { ChevronUp } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { shellWords } from './words';

const BAR_LINK = 'h-14 flex-col justify-center gap-1 rounded-none text-xs';

const BAR_PAGES_MAX = 5;

/** Links in a phone's navigation bar: all pages if they fit, else the main pages and a button for the others. */
export function BarPages({ icons, moreIcon }: { icons: Readonly<Record<string, ReactNode>>; moreIcon: ReactNode }) {
  const isOffered = useIsPageOffered();
  const offered = CONSOLE_PAGES.filter(({ href }) => isOffered(href));
  const fits = offered.length <= BAR_PAGES_MAX;
  return (
    <>
      {(fits ? offered : CONSOLE_PAGES.filter(({ isFolded }) => isFolded !== true)).map((page) => (
        <RailLink key={page.href} page={page} icon={icons[page.href]} short className={BAR_LINK} />
      ))}
      {!fits && (
        <MorePages pages={CONSOLE_PAGES.filter(({ isFolded }) => isFolded)} icons={icons} moreIcon={moreIcon} />
      )}
    </>
  );
}

/** Button for the pages that do not fit on a phone. Shows which of them is open. */
function MorePages({
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

interface RailLinkProps {
  page: ConsolePage;
  icon: ReactNode;
  className: string;
  labelClassName?: string;
  short?: boolean;
}

export function RailLink({
  page: { href, title, shortTitle },
  icon,
  className,
  labelClassName,
  short = false,
}: RailLinkProps) {
  const current = usePathname() === href;
  const isOffered = useIsPageOffered()(href);
  if (!isOffered && !current) return null;
  return (
    <PageLink
      href={href}
      title={title}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex items-center gap-2.5 rounded-md text-sm transition-colors',
        current ? 'bg-hover font-medium text-ink' : 'text-dim hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {icon}
      <span className={labelClassName}>{short ? (shortTitle ?? title) : title}</span>
    </PageLink>
  );
}

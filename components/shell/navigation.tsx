import { PageLink } from '@/components/ui/page-link';
import { shellWords } from '@/lib/browser/words/shell';
import { Ellipsis } from 'lucide-react';
import { BAR_LINK } from './bar-link';
import { BrandLinks } from './brand-links';
import { BrandMark, BrandName } from './brand-mark';
import { CONSOLE_PAGE_ICONS } from './console-page-icons';
import { CONSOLE_PAGES, type ConsolePage, PAGE_GROUPS } from './console-pages';
import { MorePages } from './more-pages';
import { RailLink } from './rail-link';

/** Navigation on the left: icons on a tablet or a phone in landscape, icons and names on a wide screen. */
export function Navigation() {
  return (
    <nav
      aria-label={shellWords.navigation.name}
      className="hidden w-13 shrink-0 flex-col gap-1 overflow-y-auto border-r border-line bg-surface p-2 md:flex sm:short:flex short:gap-0 short:py-1 xl:w-44"
    >
      <PageLink
        href="/"
        className="mb-2 flex h-8 shrink-0 items-center gap-2 rounded-md px-1.5 short:hidden text-base font-semibold tracking-tight"
      >
        <BrandMark className="size-5.5 shrink-0" />
        <span className="sr-only xl:not-sr-only">
          <BrandName />
        </span>
      </PageLink>
      {PAGE_GROUPS.map((group) => (
        <div
          key={group}
          role="group"
          aria-label={shellWords.navigation.groups[group]}
          className="not-first-of-type:mt-2 flex shrink-0 flex-col gap-1 not-first-of-type:border-t not-first-of-type:border-line not-first-of-type:pt-2 short:gap-0 short:not-first-of-type:mt-0 short:not-first-of-type:border-t-0 short:not-first-of-type:pt-0 xl:not-first-of-type:border-t-0"
        >
          <span aria-hidden className="hidden px-2 pb-0.5 text-xs text-faint short:hidden xl:block">
            {shellWords.navigation.groups[group]}
          </span>
          {CONSOLE_PAGES.filter((page) => page.group === group).map((page) => (
            <RailLink
              key={page.href}
              page={page}
              icon={<PageIcon page={page} />}
              className="h-8 shrink-0 px-2 short:h-7"
              labelClassName="sr-only xl:not-sr-only"
            />
          ))}
        </div>
      ))}
      <BrandLinks className="mt-auto hidden px-2 pt-4 xl:flex" />
    </nav>
  );
}

/** Bottom navigation on a phone: the first pages, with the others behind "More". */
export function BottomBar() {
  const folded = CONSOLE_PAGES.filter(({ isFolded }) => isFolded === true);
  return (
    <nav
      aria-label={shellWords.navigation.name}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-surface pb-safe sm:short:hidden md:hidden"
    >
      {CONSOLE_PAGES.filter(({ isFolded }) => isFolded !== true).map((page) => (
        <RailLink key={page.href} page={page} icon={<PageIcon page={page} />} short className={BAR_LINK} />
      ))}
      <MorePages
        pages={folded}
        icons={Object.fromEntries(folded.map((page) => [page.href, <PageIcon key={page.href} page={page} />]))}
        moreIcon={<Ellipsis aria-hidden className="size-4.5 shrink-0" />}
      />
    </nav>
  );
}

/** Rendered on the server, so that the browser loads no script for the icons. */
function PageIcon({ page }: { page: ConsolePage }) {
  const Icon = CONSOLE_PAGE_ICONS[page.href];
  return (
    Icon && (
      <Icon
        aria-hidden
        className="size-4.5 shrink-0 in-aria-[current=page]:text-amber-ink in-data-current:text-amber-ink"
      />
    )
  );
}

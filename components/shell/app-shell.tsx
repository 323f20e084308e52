import { BrandLinks, BrandMark, BrandName } from '@/components/ui/brand';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { CONSOLE_PAGES, type ConsolePage, PAGE_GROUPS } from '@/lib/browser/page/console-pages';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { CONSOLE_PAGE_ICONS } from './console-page-icons';
import { KeyShortcuts } from './key-shortcuts';
import { LoadAhead } from './load-ahead';
import { BarPages, RailLink } from './rail-link';
import { SandboxBanner } from './sandbox-banner';
import { StatusStrips } from './status/status-strips';
import { TopBar } from './top-bar';
import { shellWords } from './words';

/** Shell around every page. Navigation and banner stay while the page scrolls inside. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex h-dvh flex-col overflow-hidden">
      <a
        href="#page"
        className="sr-only z-50 rounded-md bg-amber px-3 py-2 text-amber-on focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shellWords.skip}
      </a>
      <SandboxBanner />
      <StatusStrips />
      <div className="flex min-h-0 flex-1">
        <Navigation />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar />
          <main id="page" tabIndex={-1} className="relative flex min-h-0 flex-1 flex-col overflow-auto outline-none">
            <PageProgress />
            {children}
          </main>
        </div>
      </div>
      <BottomBar />
      <KeyShortcuts />
      <LoadAhead />
    </div>
  );
}

function Navigation() {
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

function BottomBar() {
  return (
    <nav
      aria-label={shellWords.navigation.name}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-surface pb-safe sm:short:hidden md:hidden"
    >
      <BarPages
        icons={Object.fromEntries(CONSOLE_PAGES.map((page) => [page.href, <PageIcon key={page.href} page={page} />]))}
        moreIcon={<Ellipsis aria-hidden className="size-4.5 shrink-0" />}
      />
    </nav>
  );
}

/** Rendered by the server, so that the browser loads no script for the icons. */
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

/**
 * Shows that the user requested another page: first a progress bar, later the placeholder of the requested page. An
 * attribute of the root element controls both, so that no script has to load.
 */
function PageProgress() {
  return (
    <>
      <span
        aria-hidden
        data-testid="page-progress"
        className="fixed inset-x-0 top-0 z-50 hidden h-0.5 origin-left bg-amber in-data-asked:block in-data-asked:animate-progress"
      />
      <div
        aria-hidden
        data-testid="page-place"
        className="absolute inset-0 z-30 hidden bg-ground in-data-asked:block in-data-asked:animate-late"
      >
        <div className="mx-auto grid max-w-6xl gap-6 px-4 py-6 lg:px-8 lg:py-8">
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-28" />
          <Skeleton className="h-64" />
        </div>
      </div>
    </>
  );
}

import { UnlessOperator } from '@/components/operator/unless-operator';
import { shellWords } from '@/lib/browser/words/shell';
import type { ReactNode } from 'react';
import { KeyShortcuts } from './key-shortcuts';
import { LoadAhead } from './load-ahead';
import { BottomBar, Navigation } from './navigation';
import { PageProgress } from './page-progress';
import { SandboxBanner } from './sandbox-banner';
import { StatusStrips } from './status/status-strips';
import { TopBar } from './top-bar';

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
            <UnlessOperator>{children}</UnlessOperator>
          </main>
        </div>
      </div>
      <BottomBar />
      <KeyShortcuts />
      <LoadAhead />
    </div>
  );
}

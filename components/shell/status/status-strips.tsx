'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { useConnection } from '@/lib/browser/connection/connection';
import { isHeldBack, noteSeenPage, useHeldPage, noteAskedPage } from '@/lib/browser/page/navigation';
import { useFoundSecret } from '@/lib/browser/credential/pasted-secret';
import { isClockOff } from '@/lib/browser/page/clock';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { useStorageTrouble } from '@/lib/browser/storage/stored-value';
import { RefreshCw } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { shellWords } from '../words';
import { Strip } from './strip';

/** Loaded at the first input, or when a problem occurs. */
export const TroubleStrips = onDemand(() => import('./trouble-strips').then((module) => module.TroubleStrips));

export function StatusStrips() {
  const { state, clockAheadMs } = useConnection();
  const storage = useStorageTrouble();
  const secret = useFoundSecret();
  const isTroubled = storage !== null || secret !== null || isClockOff(clockAheadMs);
  const held = useOfflineLinks();
  return (
    <>
      {held !== null && (
        // Overlays the page, because the layout must not shift when a click shows or hides this notice.
        <div className="pointer-events-none relative z-40 h-0">
          <Strip className="absolute inset-x-0 top-0 bg-raised shadow-overlay">
            <p role="alert" className="min-w-0 flex-1 py-1">
              {shellWords.connection.notOpened(CONSOLE_PAGES.find(({ href }) => href === held)?.title)}
            </p>
          </Strip>
        </div>
      )}
      {state === 'replaced' && (
        <Strip className="bg-surface">
          <RefreshCw aria-hidden className="size-4 shrink-0 text-amber-ink" />
          <p role="status" className="min-w-0 flex-1 py-1">
            {shellWords.connection.replaced} <span className="text-dim">{shellWords.connection.replacedMeans}</span>
          </p>
          <Button size="sm" onClick={() => window.location.reload()}>
            {shellWords.connection.reload}
          </Button>
        </Strip>
      )}
      {isTroubled && <TroubleStrips clockAheadMs={clockAheadMs} />}
    </>
  );
}

/**
 * While the gateway does not answer, cancels clicks on links to pages that the browser cannot open without the gateway.
 * @returns path of the cancelled link; null for none
 */
function useOfflineLinks(): string | null {
  const path = usePathname();
  useEffect(() => {
    noteSeenPage(path);
    noteAskedPage(null);
    const onClick = (event: MouseEvent) => {
      const asked = pathAskedFor(event);
      if (asked === null) return;
      if (!isHeldBack(asked)) return noteAskedPage(asked);
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('click', onClick, { capture: true });
    return () => document.removeEventListener('click', onClick, { capture: true });
  }, [path]);
  return useHeldPage();
}

/** Returns the path that a click on a console link opens in this tab; null for other clicks. */
function pathAskedFor({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (
    link === null ||
    button !== 0 ||
    ctrlKey ||
    metaKey ||
    shiftKey ||
    link.target === '_blank' ||
    link.origin !== window.location.origin
  )
    return null;
  return link.hasAttribute('download') ? null : link.pathname;
}

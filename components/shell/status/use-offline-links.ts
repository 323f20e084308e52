'use client';

import { isHeldBack, noteSeenPage, useHeldPage } from '@/lib/browser/connection/held-page';
import { noteAskedPage } from '@/lib/browser/navigation-progress';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

/**
 * While the gateway does not answer, cancels clicks on links to pages that the browser cannot open without the gateway.
 *
 * @returns path of the page whose link was clicked and cancelled; null for none
 */
export function useOfflineLinks(): string | null {
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

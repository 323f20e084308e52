'use client';

import { isHeldBack, noteSeenPage, useHeldPage } from '@/lib/browser/connection/held-page';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

/**
 * Keeps links from leading out of the console while nothing answers.
 *
 * @returns the path of the page that was asked for and has to wait; null for none
 */
export function useOfflineLinks(): string | null {
  const path = usePathname();
  useEffect(() => {
    noteSeenPage(path);
    const onClick = (event: MouseEvent) => {
      const asked = pathAskedFor(event);
      if (asked === null || !isHeldBack(asked)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('click', onClick, { capture: true });
    return () => document.removeEventListener('click', onClick, { capture: true });
  }, [path]);
  return useHeldPage();
}

/** Where a click on a link of this console leads in this tab; null where it does not. */
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

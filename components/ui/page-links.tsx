'use client';

import { askForPage } from '@/lib/browser/navigation-progress';
import { useRouter } from 'next/navigation';
import type { ComponentProps, MouseEvent, SyntheticEvent } from 'react';

/**
 * List of hundreds of links to pages of the console. The list itself prefetches for its plain links, because `PageLink`
 * components kept a phone busy longer than all other parts of the page.
 */
export function PageLinks(props: ComponentProps<'ul'>) {
  const router = useRouter();
  const fetchAhead = (event: SyntheticEvent) => {
    const href = hrefOf(event.target);
    if (href !== null) router.prefetch(href);
  };
  const open = (event: MouseEvent) => {
    const href = hrefOf(event.target);
    // With a modifier key, the browser opens a tab or a window, or saves the file.
    if (href === null || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    askForPage(href);
    router.push(href);
  };
  return <ul {...props} onClick={open} onPointerOver={fetchAhead} onFocus={fetchAhead} />;
}

function hrefOf(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest('a')?.getAttribute('href') ?? null) : null;
}

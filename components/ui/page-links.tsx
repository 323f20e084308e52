'use client';

import { useRouter } from 'next/navigation';
import type { ComponentProps, MouseEvent, SyntheticEvent } from 'react';

/**
 * A list of hundreds of links to pages of the console. They are plain, and the list does for them what `PageLink` does
 * for one: a page is fetched once somebody points at its link or moves the focus there, and opened without leaving this
 * one. As components they kept a phone busy for longer than all else of their page.
 */
export function PageLinks(props: ComponentProps<'ul'>) {
  const router = useRouter();
  const fetchAhead = (event: SyntheticEvent) => {
    const href = hrefOf(event.target);
    if (href !== null) router.prefetch(href);
  };
  const open = (event: MouseEvent) => {
    const href = hrefOf(event.target);
    // With a key held a browser opens a tab or a window, or keeps the file.
    if (href === null || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    router.push(href);
  };
  return <ul {...props} onClick={open} onPointerOver={fetchAhead} onFocus={fetchAhead} />;
}

function hrefOf(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest('a')?.getAttribute('href') ?? null) : null;
}

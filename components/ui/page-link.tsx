'use client';

import { PrefetchKind } from 'next/dist/client/components/router-reducer/router-reducer-types';
import { useRouter } from 'next/navigation';
import type { ComponentProps, MouseEvent } from 'react';

interface PageLinkProps extends ComponentProps<'a'> {
  href: string;
}

/**
 * Link to a page of the console. Prefetches the page when hovered, touched or focused. next/link is 3 KB larger on every
 * page, and repeats its prefetches after each change of the URL.
 */
export function PageLink({ href, onClick, onPointerEnter, onFocus, onTouchStart, ...props }: PageLinkProps) {
  const router = useRouter();
  const prefetch = () => router.prefetch(href, { kind: PrefetchKind.FULL });
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || opensElsewhere(event)) return;
        event.preventDefault();
        router.push(href);
      }}
      onPointerEnter={(event) => {
        prefetch();
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        prefetch();
        onFocus?.(event);
      }}
      onTouchStart={(event) => {
        prefetch();
        onTouchStart?.(event);
      }}
    />
  );
}

/** Returns true if the browser opens a new tab or window, or downloads. */
function opensElsewhere({ currentTarget, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = currentTarget;
  return (
    metaKey ||
    ctrlKey ||
    shiftKey ||
    altKey ||
    (target !== '' && target !== '_self') ||
    currentTarget.hasAttribute('download')
  );
}

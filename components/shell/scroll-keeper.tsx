'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { pageElement } from './page-element';

/**
 * Starts every page at its top or its fragment. The router cannot do this, because the scroll container is not the
 * window.
 */
export function ScrollKeeper({ from }: { from: string }) {
  const path = usePathname();
  const shown = useRef(from);
  useEffect(() => {
    if (shown.current !== path && window.location.hash === '') pageElement()?.scrollTo(0, 0);
    shown.current = path;
  }, [path]);
  return null;
}

'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { pageElement } from './page-element';

/** Begins every page at its top, or at the place that the address names: what scrolls is not the window, which the router would see to. */
export function ScrollKeeper({ from }: { from: string }) {
  const path = usePathname();
  const shown = useRef(from);
  useEffect(() => {
    if (shown.current !== path && window.location.hash === '') pageElement()?.scrollTo(0, 0);
    shown.current = path;
  }, [path]);
  return null;
}

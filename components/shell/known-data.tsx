'use client';

import type { KnownData as Known } from '@/lib/browser/known-facts';
import { useReads } from '@/lib/browser/reads/use-read';
import { type ReactNode, useState } from 'react';

interface KnownDataProps {
  /** What the server knew, by its key in the cache; null is not known. */
  known: Known;
  children: ReactNode;
}

/** Around a page that was rendered with what the server knew: shown at once, and asked again, unless the browser knew it before. */
export function KnownData({ known, children }: KnownDataProps) {
  const reads = useReads();
  // While the page is first rendered, so that what is in it finds it there.
  useState(() => {
    for (const [key, data] of known) if (data !== null) reads.putKnown(key, data);
  });
  return children;
}

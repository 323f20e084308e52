'use client';

import type { KnownData as Known } from '@/lib/browser/reads/known-facts';
import { useReads } from '@/lib/browser/reads/use-read';
import { type ReactNode, useState } from 'react';

interface KnownDataProps {
  /** Server data by query key; null for unknown data. */
  known: Known;
  children: ReactNode;
}

/**
 * Wraps a page that the server rendered with data. Shows the data immediately and refreshes it. Data already in the
 * browser takes precedence.
 */
export function KnownData({ known, children }: KnownDataProps) {
  const reads = useReads();
  // Runs during the first render, so that children find the data.
  useState(() => {
    for (const [key, data] of known) if (data !== null) reads.putKnown(key, data);
  });
  return children;
}

'use client';

import { onDemand } from '@/components/ui/on-demand';
import { useHydrated } from '@/lib/browser/browser-store';
import { OPERATOR_PATH } from '@/lib/browser/operator/operator-path';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

const OperatorGate = onDemand(() => import('./operator-gate').then((module) => module.OperatorGate));

/**
 * Around every page. The operator's page has none of its own on the server, which does not know who looks
 * (docs/decisions.md, 221): its address leads nowhere like any other, until the browser of an operator has asked.
 */
export function UnlessOperator({ children }: { children: ReactNode }) {
  // What it says of an address without a page is not that address, but it changes when the page does.
  usePathname();
  return useHydrated() && window.location.pathname === OPERATOR_PATH ? (
    <OperatorGate>{children}</OperatorGate>
  ) : (
    children
  );
}

'use client';

import { onDemand } from '@/components/ui/on-demand';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { OPERATOR_PATH } from '@/lib/browser/credential/seen-operator';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

const OperatorGate = onDemand(() => import('./operator-gate').then((module) => module.OperatorGate));

/**
 * Wraps every page. The server does not know the visitor, so the operator's page has no route
 * (docs/decisions/console.md, 221). Its URL shows "not found" until the browser has verified an operator.
 */
export function UnlessOperator({ children }: { children: ReactNode }) {
  // Called only to render this component again with each navigation. The returned path is wrong for a URL without a
  // page.
  usePathname();
  return useHydrated() && window.location.pathname === OPERATOR_PATH ? (
    <OperatorGate>{children}</OperatorGate>
  ) : (
    children
  );
}

'use client';

import { useHydrated } from '@/lib/browser/hydrated';
import { OPERATOR_PATH } from '@/lib/browser/operator/operator-path';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

type Gate = ComponentType<{ children: ReactNode }>;

/**
 * Around what is shown where there is no page. The operator's page has none of its own on the server, which does not know
 * who looks (docs/decisions.md, 221): its address leads nowhere like any other, until the browser of an operator has asked.
 */
export function UnlessOperator({ children }: { children: ReactNode }) {
  const isThere = useHydrated() && window.location.pathname === OPERATOR_PATH;
  const [OperatorGate, setGate] = useState<Gate | null>(null);
  useEffect(() => {
    if (!isThere) return;
    // Where its code does not come, there is no page.
    import('./operator-gate').then((module) => setGate(() => module.OperatorGate), () => undefined);
  }, [isThere]);
  return isThere && OperatorGate !== null ? <OperatorGate>{children}</OperatorGate> : children;
}

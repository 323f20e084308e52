'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { seenOperator } from '@/lib/browser/operator/seen-operator';
import { useOperator } from '@/lib/browser/operator/use-operator';
import { useStoredValue } from '@/lib/browser/stored-value';
import { operatorWords as words } from '@/lib/browser/words/operator';
import type { ReactNode } from 'react';
import { OperatorPage } from './operator-page';
import { OperatorSkeleton } from './operator-skeleton';

/**
 * Shows the operator's page to operators and `children` to others. During the check, shows a placeholder only if this
 * browser showed the operator's page before.
 */
export function OperatorGate({ children }: { children: ReactNode }) {
  const view = useOperator();
  const wasOperator = useStoredValue(seenOperator);
  if (view.kind === 'operator') return <OperatorPage view={view} />;
  if (view.kind === 'nobody' || !wasOperator) return children;
  if (view.kind === 'looking') return <OperatorSkeleton />;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-6 px-4 py-6 lg:px-8 lg:py-8">
      <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
      <FailureCard isRead error={view.error} onRetry={view.refresh} />
    </div>
  );
}

'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { seenOperator } from '@/lib/browser/credential/seen-operator';
import { useStoredValue } from '@/lib/browser/storage/stored-value';
import { OperatorSignIn } from './operator-sign-in';
import { useOperator } from './use-operator';
import { operatorWords } from './words';

const Dashboard = onDemand(() => import('./operator-dashboard').then((module) => module.OperatorDashboard), {
  waiting: <OperatorSkeleton />,
});

/** Shows a placeholder during the check only if this browser has shown the dashboard before. */
export function OperatorPage() {
  const view = useOperator();
  const wasOperator = useStoredValue(seenOperator);
  if (view.kind === 'operator') return <Dashboard view={view} />;
  if (view.kind === 'looking' && wasOperator) return <OperatorSkeleton />;
  return (
    <OperatorSignIn refused={view.kind === 'refused' ? view.address : null} isLooking={view.kind === 'looking'}>
      {view.kind === 'failed' && <FailureCard isRead error={view.error} onRetry={view.refresh} />}
    </OperatorSignIn>
  );
}

function OperatorSkeleton() {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <p role="status" className="sr-only">
        {operatorWords.loading}
      </p>
      <h1 className="text-2xl font-semibold tracking-tight">{operatorWords.title}</h1>
      <Skeleton className="h-23 rounded-md" />
      <Skeleton className="h-72 rounded-md" />
      <Skeleton className="h-96 rounded-md" />
    </div>
  );
}

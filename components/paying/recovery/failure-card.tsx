'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';

export const FailureCard = onDemand(() => import('./failure-content').then((module) => module.FailureContent), {
  waiting: <Skeleton className="h-24" />,
});

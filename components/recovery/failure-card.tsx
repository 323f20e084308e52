'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';

/** Why a call got no answer, and the controls that solve it here. Its code is no part of the page: nothing has failed yet. */
export const FailureCard = onDemand(() => import('./failure-content').then((module) => module.FailureContent), {
  waiting: <Skeleton className="h-24" />,
});

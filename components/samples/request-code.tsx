'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import type { PageRequest } from './http-request';
import type { CallCredential } from '@/lib/client';
import { samplesWords } from './words';
import { useState } from 'react';

const RequestCodeBody = onDemand(() => import('./request-code-body').then((module) => module.RequestCodeBody), {
  waiting: <Skeleton className="m-3 h-48" />,
});

export function RequestCode({
  requests,
  credential,
}: {
  requests: readonly PageRequest[];
  credential: CallCredential | null;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (requests.length === 0) return null;
  return (
    <details
      className="group overflow-hidden rounded-md border border-line"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <Summary
        onPointerEnter={RequestCodeBody.preload}
        onFocus={RequestCodeBody.preload}
        className="min-h-10 px-3 text-sm font-medium hover:bg-hover"
      >
        {samplesWords.unfold}
      </Summary>
      {isOpen && <RequestCodeBody requests={requests} credential={credential} />}
    </details>
  );
}

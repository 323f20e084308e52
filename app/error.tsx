'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';

/** Stands in for a page that crashed; the shell around it goes on working. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="mx-auto w-full max-w-xl p-6">
      <Notice
        tone="bad"
        title="This page broke down."
        actions={
          <>
            <Button size="sm" onClick={reset}>
              Try again
            </Button>
            <Button size="sm" onClick={() => window.location.reload()}>
              Reload
            </Button>
          </>
        }
      >
        <p>What you typed is kept in this tab.</p>
        <p className="figures text-xs">{error.digest ?? error.message}</p>
      </Notice>
    </div>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { noteLoadFailure } from '@/lib/browser/connection/connection';
import { useEffect } from 'react';

/** Stands in for a page that crashed; the shell around it goes on working. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEffect(() => {
    // A part of it may be missing because the gateway was upgraded: then the shell says so.
    void noteLoadFailure();
  }, []);
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
        <p>What you typed is kept in this browser.</p>
        {error.digest !== undefined && <p className="figures text-xs">{error.digest}</p>}
      </Notice>
    </div>
  );
}

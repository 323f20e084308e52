'use client';

import { Button } from '@/components/ui/button';
import { noteLoadFailure } from '@/lib/browser/connection/connection';
import { CircleAlert } from 'lucide-react';
import { useEffect } from 'react';

/** Replaces a page that crashed. Has few imports, because every page loads this file. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEffect(() => {
    // A gateway upgrade may have removed the page's script. The shell then shows a notice.
    void noteLoadFailure();
  }, []);
  return (
    <div className="mx-auto w-full max-w-xl p-6">
      <div role="alert" className="flex gap-2.5 rounded-md border border-bad-line bg-bad-soft p-3 text-sm">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <div className="grid min-w-0 flex-1 gap-1.5">
          <p className="font-medium">This page broke down.</p>
          <p className="text-dim">What you typed is kept in this browser.</p>
          {error.digest !== undefined && <p className="figures text-xs text-dim">{error.digest}</p>}
          <div className="flex flex-wrap gap-2 pt-0.5">
            <Button size="sm" onClick={reset}>
              Try again
            </Button>
            <Button size="sm" onClick={() => window.location.reload()}>
              Reload
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}

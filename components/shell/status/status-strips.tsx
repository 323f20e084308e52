'use client';

import { Button } from '@/components/ui/button';
import { CONSOLE_PAGES } from '@/components/shell/console-pages';
import { onDemand } from '@/components/ui/on-demand';
import { isClockOff } from '@/lib/browser/connection/clock-off';
import { useConnection } from '@/lib/browser/connection/connection';
import { useFoundSecret } from '@/lib/browser/pasted-secret/found-secret';
import { useStorageTrouble } from '@/lib/browser/storage-trouble';
import { shellWords } from '@/lib/browser/words/shell';
import { RefreshCw } from 'lucide-react';
import { Strip } from './strip';
import { useOfflineLinks } from './use-offline-links';

/** Loaded at the first input, or when a problem occurs. */
export const TroubleStrips = onDemand(() => import('./trouble-strips').then((module) => module.TroubleStrips));

/** Shows the warnings that matter on every page. */
export function StatusStrips() {
  const { state, clockAheadMs } = useConnection();
  const storage = useStorageTrouble();
  const secret = useFoundSecret();
  const isTroubled = storage !== null || secret !== null || isClockOff(clockAheadMs);
  const held = useOfflineLinks();
  return (
    <>
      {held !== null && (
        // Overlays the page, because clicks show and hide this notice and must not shift the layout.
        <div className="pointer-events-none relative z-40 h-0">
          <Strip className="absolute inset-x-0 top-0 bg-raised shadow-overlay">
            <p role="alert" className="min-w-0 flex-1 py-1">
              {shellWords.connection.notOpened(CONSOLE_PAGES.find(({ href }) => href === held)?.title)}
            </p>
          </Strip>
        </div>
      )}
      {state === 'replaced' && (
        <Strip className="bg-surface">
          <RefreshCw aria-hidden className="size-4 shrink-0 text-amber-ink" />
          <p role="status" className="min-w-0 flex-1 py-1">
            {shellWords.connection.replaced} <span className="text-dim">{shellWords.connection.replacedMeans}</span>
          </p>
          <Button size="sm" onClick={() => window.location.reload()}>
            {shellWords.connection.reload}
          </Button>
        </Strip>
      )}
      {isTroubled && <TroubleStrips clockAheadMs={clockAheadMs} />}
    </>
  );
}

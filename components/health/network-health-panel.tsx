'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { formatMoment } from '@/lib/browser/moments';
import { healthSentence } from '@/lib/browser/health-sentence';
import { useNetworkHealth } from '@/lib/browser/network-health';
import { describeNetwork } from '@/lib/browser/networks';
import { useSandbox } from '@/lib/browser/sandbox';
import { networkHealthWords } from '@/lib/browser/words/network-health';
import { RotateCw } from 'lucide-react';
import { HealthMark, useVerdictMark } from './health-mark';
import { UpstreamTable } from './upstream-table';

/** Shows a network's health in one sentence, and each of its upstreams. */
export function NetworkHealthPanel({ slug }: { slug: string }) {
  const { isKnown, healthOf, updatedAtMs, error, refresh } = useNetworkHealth();
  const inSandbox = Boolean(useSandbox().data);
  const markOf = useVerdictMark();
  const health = healthOf(slug);
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1 truncate font-medium">{describeNetwork(slug)?.name ?? slug}</p>
        {health && <HealthMark mark={markOf(health)} />}
      </div>
      {health === null && error === null && <Skeleton className="h-10 w-full" />}
      {health !== null && <p className="text-dim">{healthSentence(health, inSandbox)}</p>}
      {health !== null && health.upstreams.length > 0 && <UpstreamTable upstreams={health.upstreams} />}
      {error !== null && (
        <Notice tone="warn" title={!isKnown ? networkHealthWords.notKnown : networkHealthWords.outOfDate}>
          {error.message}
        </Notice>
      )}
      <div className="flex items-center justify-between gap-3 text-xs text-faint">
        <span>
          {updatedAtMs === null ? (
            ''
          ) : (
            <>
              {networkHealthWords.asOf} <span className="figures">{formatMoment(updatedAtMs)}</span>
              {networkHealthWords.readAgain}
            </>
          )}
        </span>
        <Button size="sm" tone="quiet" onClick={refresh}>
          <RotateCw aria-hidden />
          {networkHealthWords.refresh}
        </Button>
      </div>
    </div>
  );
}

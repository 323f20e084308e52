'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { describeNetwork } from '@/lib/browser/reads/networks';
import { useSandbox } from '@/lib/browser/reads/settings';
import { formatMoment } from '@/lib/browser/text/moments';
import type { NetworkHealth } from '@/lib/client';
import { upstreamVariable } from '@/lib/protocol/networks';
import { RotateCw } from 'lucide-react';
import { HealthMark, useVerdictMark } from './health-mark';
import { healthVerdict, useNetworkHealth } from './network-health';
import { UpstreamTable } from './upstream-table';
import { networkHealthWords } from './words';

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

const words = networkHealthWords.sentences;

/** Explains a verdict's consequence for the next call, and what to do. */
export function healthSentence(health: NetworkHealth, inSandbox: boolean): string {
  const { upstreams, network } = health;
  const healthy = upstreams.filter(({ state }) => state === 'healthy').length;
  switch (healthVerdict(health)) {
    case 'healthy':
      return words.healthy(healthy, upstreams.length);
    case 'degraded':
      return words.degraded(healthy, upstreams.length);
    case 'failing':
      return words.failing;
    case 'unused':
      return inSandbox ? words.unusedInSandbox : words.unused;
    case 'unconfigured':
      return inSandbox ? words.unconfiguredInSandbox(upstreamVariable(network)) : words.unconfigured;
  }
}

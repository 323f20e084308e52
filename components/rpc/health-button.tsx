'use client';

import { HealthMark, useVerdictMark } from '@/components/health/health-mark';
import { onDemand } from '@/components/ui/on-demand';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useNetworkHealth } from '@/lib/browser/network-health';
import { useNetworks } from '@/lib/browser/networks';
import { rpcWords } from '@/lib/browser/words/rpc';
import { CircleSlash } from 'lucide-react';

const NetworkHealthPanel = onDemand(
  () => import('@/components/health/network-health-panel').then((module) => module.NetworkHealthPanel),
  { waiting: <Skeleton className="h-40" /> },
);

const words = rpcWords.health;

const NOT_LISTED = { word: words.notListed, Icon: CircleSlash, className: 'text-faint' };

/** Shows the chosen network's health in a word; a click shows its upstreams. */
export function HealthButton({ slug }: { slug: string | null }) {
  const { isKnown, healthOf, error } = useNetworkHealth();
  const { networks, isLive } = useNetworks();
  const markOf = useVerdictMark();
  const isListed = !isLive || networks.some((network) => network.slug === slug);
  const health = slug === null || !isListed ? null : healthOf(slug);
  const mark = isListed ? markOf(health) : NOT_LISTED;
  const isPending = slug === null || (!isKnown && error === null);
  return (
    <Popover>
      <PopoverTrigger asChild preload={NetworkHealthPanel.preload}>
        <Button
          tone="quiet"
          disabled={slug === null}
          aria-label={isPending ? words.label : words.labelled(mark.word)}
          className="w-30 justify-start px-2 md:w-8 md:justify-center xl:w-30 xl:justify-start"
        >
          {isPending ? (
            <Skeleton className="h-3 w-4 xl:w-20" />
          ) : (
            <>
              <span className="contents md:max-xl:hidden">
                <HealthMark mark={mark} />
              </span>
              <span className="hidden md:max-xl:contents">
                <HealthMark mark={mark} iconOnly />
              </span>
            </>
          )}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={words.label} className="w-[min(34rem,calc(100vw-16px))] p-4">
        {slug !== null &&
          (isListed ? (
            <NetworkHealthPanel slug={slug} />
          ) : (
            <p className="text-dim">{rpcWords.status.notListed(slug)}</p>
          ))}
      </PopoverContent>
    </Popover>
  );
}

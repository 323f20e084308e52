'use client';

import { HealthMark, useVerdictMark, VERDICT_MARKS } from '@/components/health/health-mark';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCount, formatDuration } from '@/lib/browser/amounts';
import { useConnection } from '@/lib/browser/connection/connection';
import { bestOf, HEALTH_VERDICTS, healthVerdict, useNetworkHealth } from '@/lib/browser/network-health';
import { useNetworks } from '@/lib/browser/networks';
import type { NetworkHealth } from '@/lib/client';
import { overviewLowerWords } from '@/lib/browser/words/overview-lower-half';
import { Section } from './section';

const words = overviewLowerWords.networks;

const NetworkHealthPanel = onDemand(
  () => import('@/components/health/network-health-panel').then((module) => module.NetworkHealthPanel),
  { waiting: <Skeleton className="h-40" /> },
);

/** Shows the health of every network as tiles, with a legend that counts them. Opening a tile shows its upstreams. */
export function NetworkGrid() {
  const { isKnown, healthOf, error, refresh } = useNetworkHealth();
  const { networks } = useNetworks();
  const { state } = useConnection();
  const isAway = state === 'offline' || state === 'unanswered';
  const all = networks.flatMap(({ slug }) => healthOf(slug) ?? []);
  return (
    <Section title={words.title} anchor="networks">
      {!isKnown && error !== null ? (
        <Notice
          tone="warn"
          title={words.notKnown}
          actions={
            <Button size="sm" onClick={refresh}>
              {words.tryAgain}
            </Button>
          }
        >
          {error.message}
        </Notice>
      ) : (
        <>
          <Legend all={isKnown && !isAway ? all : null} />
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(11rem,calc(50%-0.25rem)),1fr))] gap-2">
            {networks.map(({ slug, name }) => {
              const health = healthOf(slug);
              return (
                <li key={slug}>
                  {health === null ? <Skeleton className="h-16" /> : <NetworkTile name={name} health={health} />}
                </li>
              );
            })}
          </ul>
          <p className="text-xs text-faint">
            {words.refreshed}
            {error !== null && words.failedLast(error.message)}
          </p>
        </>
      )}
    </Section>
  );
}

function Legend({ all }: { all: readonly NetworkHealth[] | null }) {
  const verdicts = all?.map(healthVerdict) ?? [];
  return (
    <dl className="flex min-h-5 flex-wrap gap-x-5 gap-y-1 text-sm">
      {HEALTH_VERDICTS.map((verdict) => (
        <div key={verdict} className="flex items-center gap-1.5">
          <dt>
            <HealthMark mark={VERDICT_MARKS[verdict]} />
          </dt>
          <dd className="figures text-dim">
            {all === null ? '–' : verdicts.filter((each) => each === verdict).length}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function NetworkTile({ name, health }: { name: string; health: NetworkHealth }) {
  const slug = health.network;
  const mark = useVerdictMark()(health);
  const { height, latencyP50Ms } = bestOf(health);
  return (
    <Popover>
      <PopoverTrigger
        preload={NetworkHealthPanel.preload}
        className="grid h-16 w-full grid-cols-[auto_minmax(0,1fr)] content-center gap-x-2 rounded-md border border-line px-2.5 text-left hover:bg-hover aria-expanded:bg-hover"
      >
        <HealthMark mark={mark} iconOnly />
        <span className="line-clamp-2 text-sm leading-4">{name}</span>
        <span className="col-start-2 truncate text-xs text-dim">
          {height === null && latencyP50Ms === null ? (
            mark.word
          ) : (
            <span className="figures">
              {[
                latencyP50Ms === null ? '' : formatDuration(latencyP50Ms),
                height === null ? '' : formatCount(BigInt(height)),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          )}
        </span>
      </PopoverTrigger>
      <PopoverContent aria-label={words.healthOf(slug)} className="grid w-[min(34rem,calc(100vw-16px))] gap-3 p-4">
        <NetworkHealthPanel slug={slug} />
        <Button asChild className="justify-self-start">
          <PageLink href={`/rpc?network=${slug}`}>{words.sendACall}</PageLink>
        </Button>
      </PopoverContent>
    </Popover>
  );
}

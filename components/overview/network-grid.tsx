'use client';

import { HealthMark, VERDICT_MARKS } from '@/components/health/health-mark';
import { NetworkHealthPanel } from '@/components/health/network-health-panel';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { formatDuration } from '@/lib/browser/amounts';
import { bestOf, HEALTH_VERDICTS, healthVerdict, useNetworkHealth } from '@/lib/browser/network-health';
import { useNetworks } from '@/lib/browser/networks';
import type { NetworkHealth } from '@/lib/client';
import Link from 'next/link';
import { Section } from './section';

/** How every network is: a tile each, with a legend that counts them. A tile opens what is known of its upstreams. */
export function NetworkGrid() {
  const { isKnown, healthOf, error, refresh } = useNetworkHealth();
  const { networks } = useNetworks();
  const all = networks.flatMap(({ slug }) => healthOf(slug) ?? []);
  return (
    <Section title="Networks">
      {!isKnown && error !== null ? (
        <Notice
          tone="warn"
          title="The health of networks is not known."
          actions={
            <Button size="sm" onClick={refresh}>
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      ) : (
        <>
          <Legend all={isKnown ? all : null} />
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(11rem,calc(50%-0.25rem)),1fr))] gap-2">
            {networks.map(({ slug, name }) => {
              const health = healthOf(slug);
              return <li key={slug}>{health === null ? <Skeleton className="h-14" /> : <NetworkTile name={name} health={health} />}</li>;
            })}
          </ul>
          <p className="text-xs text-faint">
            Read again every 10 s while this page is visible.{error !== null && ` The last reading failed: ${error.message}`}
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
          <dd className="figures text-dim">{all === null ? '–' : verdicts.filter((each) => each === verdict).length}</dd>
        </div>
      ))}
    </dl>
  );
}

function NetworkTile({ name, health }: { name: string; health: NetworkHealth }) {
  const slug = health.network;
  const verdict = healthVerdict(health);
  const { height, latencyP50Ms } = bestOf(health);
  return (
    <Popover>
      <PopoverTrigger className="grid h-14 w-full grid-cols-[auto_minmax(0,1fr)] content-center gap-x-2 rounded-md border border-line px-2.5 text-left hover:bg-hover aria-expanded:bg-hover">
        <HealthMark mark={VERDICT_MARKS[verdict]} iconOnly />
        <span className="truncate text-sm">{name}</span>
        <span className="col-start-2 truncate text-xs text-dim">
          {height === null && latencyP50Ms === null ? VERDICT_MARKS[verdict].word : (
            <span className="figures">
              {[latencyP50Ms === null ? '' : formatDuration(latencyP50Ms), height === null ? '' : BigInt(height).toLocaleString('en-US')].filter(Boolean).join(' · ')}
            </span>
          )}
        </span>
      </PopoverTrigger>
      <PopoverContent aria-label={`Health of ${slug}`} className="grid w-[min(34rem,calc(100vw-16px))] gap-3 p-4">
        <NetworkHealthPanel slug={slug} />
        <Button asChild className="justify-self-start">
          <Link href={`/rpc?network=${slug}`}>Send a call</Link>
        </Button>
      </PopoverContent>
    </Popover>
  );
}

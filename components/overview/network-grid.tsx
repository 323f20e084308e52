'use client';

import { HealthMark, useVerdictMark, VERDICT_MARKS } from '@/components/health/health-mark';
import { NetworkMark } from '@/components/marks/mark';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { formatCount, formatDuration } from '@/lib/browser/text/amounts';
import { useConnection } from '@/lib/browser/connection/connection';
import { bestOf, HEALTH_VERDICTS, healthVerdict, useNetworkHealth } from '@/components/health/network-health';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { useNetworks } from '@/lib/browser/reads/networks';
import type { NetworkHealth } from '@/lib/client';
import { overviewLowerWords } from './lower-half-words';
import { Section } from './section';
import { overviewWords } from './words';

const words = overviewLowerWords.networks;

const NetworkHealthPanel = onDemand(
  () => import('@/components/health/network-health-panel').then((module) => module.NetworkHealthPanel),
  { waiting: <Skeleton className="h-40" /> },
);

/** Shows every network's health: networks in use as tiles with figures, the others as small tiles. */
export function NetworkGrid() {
  const { isKnown, healthOf, error, refresh } = useNetworkHealth();
  const { networks } = useNetworks();
  const { state } = useConnection();
  const isAway = state === 'offline' || state === 'unanswered';
  const told = networks.flatMap(({ slug, name }) => {
    const health = healthOf(slug);
    return health === null ? [] : [{ slug, name, health }];
  });
  const all = told.map(({ health }) => health);
  const used = told.filter(({ health }) => isUsed(health));
  const isLive = useGatewaySettings().data?.profile === 'live';
  const isFolded = ({ health }: (typeof told)[number]) => isLive && healthVerdict(health) === 'unconfigured';
  const unused = told.filter((each) => !isUsed(each.health) && !isFolded(each));
  const folded = told.filter(isFolded);
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
          {used.length > 0 && (
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,calc(50%-0.25rem)),1fr))] gap-2">
              {used.map(({ slug, name, health }) => (
                <li key={slug}>
                  <NetworkTile name={name} health={health} />
                </li>
              ))}
            </ul>
          )}
          {isKnown ? (
            <>
              <SmallTiles networks={unused} />
              {folded.length > 0 && (
                <details className="group text-sm">
                  <Summary className="mb-2 w-fit cursor-pointer rounded-sm text-dim hover:text-ink">
                    {overviewWords.glance.unconnected(folded.length)}
                  </Summary>
                  <SmallTiles networks={folded} />
                </details>
              )}
            </>
          ) : (
            <Skeleton className="h-44" />
          )}
          <p className="text-xs text-faint">
            {words.refreshed}
            {error !== null && words.failedLast(error.message)}
          </p>
        </>
      )}
    </Section>
  );
}

function SmallTiles({ networks }: { networks: readonly { slug: string; name: string; health: NetworkHealth }[] }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,calc(50%-0.25rem)),1fr))] gap-2 empty:hidden">
      {networks.map(({ slug, name, health }) => (
        <li key={slug} className="min-w-0">
          <NetworkTile name={name} health={health} isSmall />
        </li>
      ))}
    </ul>
  );
}

function Legend({ all }: { all: readonly NetworkHealth[] | null }) {
  const verdicts = all?.map(healthVerdict) ?? [];
  return (
    <dl className="flex min-h-5 flex-wrap gap-x-5 gap-y-1 text-sm">
      {HEALTH_VERDICTS.map((verdict) => (
        <div key={verdict} className="flex items-center gap-1.5">
          <dt className={verdicts.includes(verdict) ? undefined : 'grayscale'}>
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

function isUsed(health: NetworkHealth): boolean {
  return !['unused', 'unconfigured'].includes(healthVerdict(health));
}

function NetworkTile({ name, health, isSmall = false }: { name: string; health: NetworkHealth; isSmall?: boolean }) {
  const slug = health.network;
  const mark = useVerdictMark()(health);
  const { height, latencyP50Ms } = bestOf(health);
  return (
    <Popover>
      <PopoverTrigger
        preload={NetworkHealthPanel.preload}
        className={cn(
          'rounded-md border border-line px-2.5 text-left text-sm hover:bg-hover aria-expanded:bg-hover',
          isSmall
            ? 'flex h-8 w-full items-center gap-2 text-dim max-sm:h-10 max-sm:text-xs'
            : 'grid h-16 w-full grid-cols-[auto_minmax(0,1fr)] content-center gap-x-2',
        )}
      >
        <HealthMark mark={mark} iconOnly />
        <span className={cn('flex min-w-0 items-center gap-1.5', 'leading-4')}>
          <NetworkMark slug={slug} className="size-3.5" />
          <span className="line-clamp-2">{name}</span>
        </span>
        {!isSmall && (
          <span className="figures col-start-2 truncate text-xs text-dim">
            {[
              latencyP50Ms === null ? '' : formatDuration(latencyP50Ms),
              height === null ? '' : formatCount(BigInt(height)),
            ]
              .filter(Boolean)
              .join(' · ') || mark.word}
          </span>
        )}
      </PopoverTrigger>
      <PopoverContent aria-label={words.healthOf(slug)} className="grid w-[min(34rem,calc(100vw-16px))] gap-3 p-4">
        <NetworkHealthPanel slug={slug} />
        {healthVerdict(health) !== 'unconfigured' && (
          <Button asChild className="justify-self-start">
            <PageLink href={`/rpc?network=${slug}`}>{words.sendACall}</PageLink>
          </Button>
        )}
      </PopoverContent>
    </Popover>
  );
}

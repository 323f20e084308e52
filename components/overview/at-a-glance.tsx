'use client';

import { paintOf } from '@/components/billing/series-paint';
import { HealthMark, VERDICT_MARKS } from '@/components/health/health-mark';
import { ChoosePayer } from '@/components/paying/choose-payer';
import { cn } from '@/components/ui/class-names';
import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { formatBalance, formatDuration, formatUsdNumber } from '@/lib/browser/text/amounts';
import { type Bucket, bucketsOf, type Series, stackRows } from '@/components/billing/stacked-sums';
import { useBalance } from '@/components/paying/use-balance';
import { useSpending } from '@/components/billing/use-usage';
import { useConnection } from '@/lib/browser/connection/connection';
import { isWithout, useCredential } from '@/lib/browser/credential/credential';
import { type NetworkStatus, networkStatuses, overallState, useListedSlugs } from './overall-status';
import { bestOf, type HealthVerdict, useNetworkHealth } from '@/components/health/network-health';
import { useOfferedModels } from '@/lib/browser/reads/offered-models';
import { useIsPageOffered, useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { useNeedsTopUp } from './next-step';
import { overviewWords } from './words';
import { billingWords } from '@/components/billing/words';
import type { Balance, NetworkHealth } from '@/lib/client';
import { type ReactNode, useId } from 'react';

const DAYS = 30;
const LEGEND_MAX = 3;

const words = overviewWords.glance;

export function AtAGlance() {
  return (
    <div className="grid overflow-hidden rounded-md bg-surface max-md:divide-y max-md:divide-line md:grid-cols-3 md:divide-x md:divide-line">
      <Have />
      <Spent />
      <Status />
    </div>
  );
}

function Have() {
  const credential = useCredential();
  const { balance, totalUsd, error } = useBalance();
  const canTopUp = useIsPageOffered()('/top-up');
  const needsTopUp = useNeedsTopUp();
  const isWalletOfUse = useIsWalletOfUse();
  if (isWithout(credential)) {
    return (
      <Tile
        name={words.have}
        note={credential.kind === 'signed-out' ? words.endedSignIn : isWalletOfUse ? words.nobodyPays : words.noKey}
        action={<ChoosePayer />}
      >
        <span className="text-3xl text-faint">–</span>
      </Tile>
    );
  }
  const isUnread = error !== null && totalUsd === null;
  return (
    <Tile
      name={words.have}
      note={
        isUnread
          ? words.noBalance
          : credential.kind === 'demo'
            ? words.sharedToSpend
            : credential.kind === 'own'
              ? words.keyToSpend
              : words.toSpend
      }
      picture={balance !== null && <Pots balance={balance} />}
      action={
        canTopUp &&
        !needsTopUp && (
          <Button asChild size="sm">
            <PageLink href="/top-up">{words.topUp}</PageLink>
          </Button>
        )
      }
    >
      {isUnread ? (
        <span className="text-3xl text-faint">–</span>
      ) : totalUsd === null ? null : (
        <span className="figures text-3xl md:max-lg:text-2xl">{formatBalance(totalUsd)}</span>
      )}
    </Tile>
  );
}

function Pots({ balance: { balances, x402Usd } }: { balance: Balance }) {
  const pots = [
    [billingWords.pots.diem, balances.diem],
    [billingWords.pots.bundled, balances.bundledCredits],
    [billingWords.pots.usd, balances.usd],
    [billingWords.pots.x402, x402Usd ?? 0],
  ] as const;
  return (
    <dl className="text-xs">
      {pots
        .filter(([, usd]) => usd > 0)
        .map(([name, usd]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-dim">{name}</dt>
            <dd className="figures">{formatBalance(usd)}</dd>
          </div>
        ))}
    </dl>
  );
}

function Spent() {
  const credential = useCredential();
  const { data: rows, isError } = useSpending(DAYS);
  const data = rows && stackRows(bucketsOf({ days: DAYS, day: '' }), rows, { none: '', others: '' });
  const charges = data?.series.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const isNobody = isWithout(credential);
  const isUnread = isError && data === undefined;
  const note = isNobody
    ? credential.kind === 'signed-out'
      ? words.endedSignIn
      : words.nothingSpent
    : isUnread
      ? words.noCharges
      : data === undefined
        ? words.inDays(DAYS)
        : credential.kind === 'demo'
          ? words.sharedSpent
          : words.spentIn(DAYS, charges);
  return (
    <Tile
      name={words.spent}
      note={note}
      action={
        <Button asChild size="sm" tone="quiet" className="-mr-2">
          <PageLink href="/usage">{overviewWords.spend.usage}</PageLink>
        </Button>
      }
      picture={data !== undefined && charges > 0 && <Bars {...data} />}
    >
      {isNobody || isUnread ? (
        <span className="text-2xl text-faint">–</span>
      ) : data === undefined ? null : (
        <span className="figures text-2xl md:max-lg:text-xl">
          {formatUsdNumber(data.series.reduce((sum, { value }) => sum + value, 0))}
        </span>
      )}
    </Tile>
  );
}

function Bars({ series, buckets }: { series: readonly Series[]; buckets: readonly Bucket[] }) {
  const top = Math.max(...buckets.map(({ value }) => value));
  return (
    <div className="flex h-full items-end gap-4">
      <div aria-hidden className="flex h-full min-w-0 flex-1 items-end gap-0.5">
        {buckets.map(({ start, value, parts }) => (
          <span
            key={start}
            title={`${start.slice(0, 10)}: ${formatUsdNumber(value)}`}
            className={cn('flex flex-1 flex-col-reverse overflow-hidden rounded-t-xs', value === 0 && 'bg-line')}
            style={{ height: value === 0 ? '2px' : `${Math.max(8, (value / top) * 100)}%` }}
          >
            {parts.map((part, index) => (
              <span
                key={index}
                className={cn('shrink-0', paintOf(series[index] as Series))}
                style={{ height: `${(part / value) * 100}%` }}
              />
            ))}
          </span>
        ))}
      </div>
      <ul className="grid shrink-0 content-end text-xs text-dim">
        {series.slice(0, LEGEND_MAX).map((each) => (
          <li key={each.id} className="flex items-center gap-1.5">
            <span aria-hidden className={cn('size-2 rounded-xs', paintOf(each))} />
            {billingWords.products[each.id] ?? each.label}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Status() {
  const { isKnown, all, updatedAtMs, error } = useNetworkHealth();
  const { state: connection } = useConnection();
  const { models } = useOfferedModels();
  const listed = useListedSlugs();
  const isAway = connection === 'offline' || connection === 'unanswered';
  if (isAway || !isKnown || updatedAtMs === null) {
    return (
      <Tile name={words.status} note={isAway ? words.nothingAnswers : error === null ? words.looking : words.notKnown}>
        {isAway || error !== null ? <span className="text-2xl text-faint">–</span> : null}
      </Tile>
    );
  }
  const statuses = networkStatuses(listed, all, updatedAtMs);
  const offline = models?.filter(({ isOffline }) => isOffline).length ?? 0;
  const state = overallState(statuses, offline);
  const count = (...verdicts: readonly HealthVerdict[]) =>
    statuses.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const connected = statuses.length - count('unconfigured');
  const word = state === 'unchecked' ? words.unchecked : words.answered(count('healthy', 'degraded'));
  const note = [
    state === 'unchecked' ? words.unusedYet(connected) : words.recently,
    state === 'unchecked' || count('unused') === 0 ? '' : words.idle(count('unused')),
    count('failing', 'degraded') === 0 ? '' : words.inTrouble(count('failing', 'degraded')),
    offline === 0 ? '' : words.modelsOffline(offline, models?.length ?? 0),
    count('unconfigured') === 0 ? '' : words.unconnected(count('unconfigured')),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <Tile
      name={words.status}
      note={note}
      action={
        <Button asChild size="sm" tone="quiet" className="-mr-2">
          <a href="#networks">{overviewWords.lowerHalf.networks}</a>
        </Button>
      }
      picture={<Dots statuses={statuses} health={all} />}
    >
      <span className="text-2xl md:max-lg:text-lg [&_svg]:size-6 md:max-lg:[&_svg]:size-5">
        <HealthMark mark={{ ...VERDICT_MARKS[state === 'unchecked' ? 'unused' : state], word }} />
      </span>
    </Tile>
  );
}

const DOT_COLOURS: Readonly<Record<HealthVerdict, string>> = {
  healthy: 'bg-good',
  degraded: 'bg-amber',
  failing: 'bg-bad',
  unused: 'bg-edge',
  unconfigured: 'border border-edge',
};

/** Shows one dot per connected network. The list below adds the text. */
function Dots({ statuses, health }: { statuses: readonly NetworkStatus[]; health: readonly NetworkHealth[] }) {
  const connected = statuses.filter(({ verdict }) => verdict !== 'unconfigured');
  return (
    <div aria-hidden className="flex flex-wrap content-end items-end gap-1.5">
      {connected.map(({ network, verdict }) => {
        const known = health.find((each) => each.network === network);
        const latencyMs = known === undefined ? null : bestOf(known).latencyP50Ms;
        const latency = latencyMs === null ? '' : `, ${formatDuration(latencyMs)}`;
        return (
          <span
            key={network}
            title={`${network}: ${VERDICT_MARKS[verdict].word}${latency}`}
            className={cn('size-2.5 rounded-full', DOT_COLOURS[verdict])}
          />
        );
      })}
    </div>
  );
}

function Tile({
  name,
  note,
  action,
  picture,
  children,
}: {
  name: string;
  note: string;
  action?: ReactNode;
  picture?: ReactNode;
  children: ReactNode | null;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 grid-rows-[1.75rem_3rem_2rem_3rem] gap-1 p-5 md:max-lg:px-4"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="text-sm text-dim">
          {name}
        </h2>
        {action}
      </div>
      <p className="flex items-end font-semibold tracking-tight">{children ?? <Skeleton className="h-9 w-36" />}</p>
      <p className="line-clamp-2 text-xs text-dim">{note}</p>
      <div className="flex h-12 items-end *:w-full">{picture}</div>
    </section>
  );
}

'use client';

import { HealthMark, VERDICT_MARKS } from '@/components/health/health-mark';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { formatBalance, formatCost } from '@/lib/browser/amounts';
import { firstDayOf } from '@/lib/browser/billing/days';
import { useBalance } from '@/lib/browser/billing/use-balance';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { useConnection } from '@/lib/browser/connection/connection';
import { isWithout, useCredential } from '@/lib/browser/credential';
import { useListedSlugs } from '@/lib/browser/listed-slugs';
import { type HealthVerdict, healthVerdict, useNetworkHealth } from '@/lib/browser/network-health';
import { useOfferedModels } from '@/lib/browser/offered-models';
import { overviewWords } from '@/lib/browser/words/overview';
import type { ReactNode } from 'react';

const DAYS = 30;

const words = overviewWords.glance;

/** The three things that people open a console for: what they have, what they spent, and whether everything works. */
export function AtAGlance() {
  return (
    <section
      aria-label={words.label}
      className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-3"
    >
      <Have />
      <Spent />
      <Works />
    </section>
  );
}

function Have() {
  const credential = useCredential();
  const { totalUsd, error } = useBalance();
  if (isWithout(credential)) {
    return (
      <Tile
        name={words.have}
        href="/top-up"
        note={credential.kind === 'signed-out' ? words.endedSignIn : words.nobodyPays}
      >
        –
      </Tile>
    );
  }
  const isUnread = error !== null && totalUsd === null;
  return (
    <Tile
      name={words.have}
      href="/top-up"
      note={
        isUnread
          ? words.noBalance
          : credential.kind === 'demo'
            ? words.sharedToSpend
            : credential.kind === 'own'
              ? words.keyToSpend
              : words.toSpend
      }
    >
      {isUnread ? '–' : totalUsd === null ? null : formatBalance(totalUsd)}
    </Tile>
  );
}

function Spent() {
  const credential = useCredential();
  const { data, isError } = useChargeSums('day', { startDate: firstDayOf(DAYS) });
  if (isWithout(credential)) {
    return (
      <Tile name={words.spent} href="/usage" note={words.nothingSpent}>
        –
      </Tile>
    );
  }
  const isUnread = isError && data === undefined;
  return (
    <Tile
      name={words.spent}
      href="/usage"
      note={
        isUnread
          ? words.noCharges
          : data === undefined
            ? words.inDays(DAYS)
            : credential.kind === 'demo'
              ? words.sharedSpent(DAYS)
              : words.spentIn(DAYS, data.totals.charges)
      }
    >
      {isUnread ? '–' : data === undefined ? null : formatCost(data.totals.amount)}
    </Tile>
  );
}

function Works() {
  const { isKnown, all, error } = useNetworkHealth();
  const { state: connection } = useConnection();
  const { models } = useOfferedModels();
  const listed = useListedSlugs();
  const named = new Set(all.map(({ network }) => network));
  // A network that the answer does not name has no upstream.
  const verdicts = [
    ...all.map(healthVerdict),
    ...listed.filter((slug) => !named.has(slug)).map(() => 'unconfigured' as const),
  ];
  const offline = models?.filter(({ isOffline }) => isOffline).length ?? 0;
  const state = stateOf(verdicts, offline);
  if (connection === 'offline' || connection === 'unanswered') {
    return (
      <Tile name={words.works} href="#networks" isLong note={words.nothingAnswers}>
        –
      </Tile>
    );
  }
  return (
    <Tile
      name={words.works}
      href="#networks"
      isLong
      note={isKnown ? noteOf(verdicts, offline, models?.length ?? 0) : error === null ? words.looking : words.notKnown}
    >
      {!isKnown ? (
        error === null ? null : (
          '–'
        )
      ) : (
        <HealthMark mark={{ ...VERDICT_MARKS[state], word: words.verdicts[state] }} />
      )}
    </Tile>
  );
}

type Overall = Extract<HealthVerdict, 'healthy' | 'degraded' | 'failing'>;

/** Networks that nobody has used yet, or that nobody configured, are no fault. */
function stateOf(verdicts: readonly HealthVerdict[], modelsOffline: number): Overall {
  const failing = verdicts.filter((verdict) => verdict === 'failing').length;
  const inUse = verdicts.filter((verdict) => verdict === 'healthy' || verdict === 'degraded').length;
  if (failing > 0 && inUse === 0) return 'failing';
  return failing > 0 || modelsOffline > 0 || verdicts.includes('degraded') ? 'degraded' : 'healthy';
}

function noteOf(verdicts: readonly HealthVerdict[], modelsOffline: number, models: number): string {
  const count = (...counted: readonly HealthVerdict[]) =>
    verdicts.filter((verdict) => counted.includes(verdict)).length;
  const troubled = count('failing', 'degraded');
  const faults = [
    troubled === 0 ? '' : words.networksInTrouble(troubled, verdicts.length),
    modelsOffline === 0 ? '' : words.modelsOffline(modelsOffline, models),
  ].filter(Boolean);
  return faults.length === 0
    ? words.networks(count('healthy'), count('unused'), count('unconfigured'))
    : faults.join(', ');
}

/** @param isLong whether the note may need a second line, which is kept for it */
function Tile({
  name,
  href,
  note,
  isLong = false,
  children,
}: {
  name: string;
  href: string;
  note: string;
  isLong?: boolean;
  children: ReactNode | null;
}) {
  return (
    <PageLink href={href} className="grid content-start gap-0.5 bg-ground px-4 py-3 -outline-offset-2 hover:bg-hover">
      <span className="text-xs text-faint">{name}</span>
      <span className="figures flex h-9 items-center text-xl font-semibold">
        {children ?? <Skeleton className="h-6 w-28" />}
      </span>
      <span className={`line-clamp-2 text-xs text-dim ${isLong ? 'min-h-8' : ''}`}>{note}</span>
    </PageLink>
  );
}

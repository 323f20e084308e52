'use client';

import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { forgetOperatorKey } from '@/lib/browser/credential/operator-key';
import { formatBalance, formatCount, formatDuration, formatUsdNumber } from '@/lib/browser/text/amounts';
import { formatMoment } from '@/lib/browser/text/moments';
import type { BooksFigures, GatewayFigures } from '@/lib/protocol/operator-figures';
import { CircleCheck, CircleX, KeyRound, RotateCw, TriangleAlert } from 'lucide-react';
import { DayTotals, formatSum } from './day-totals';
import { Figure, OperatorSection } from './operator-section';
import { GatewayTable } from './gateway-table';
import { UpstreamSection } from './upstream-section';
import { MarginsSection } from './margins-section';
import type { OperatorView } from './use-operator';
import { operatorWords } from './words';
import type { ReactNode } from 'react';

type Shown = Extract<OperatorView, { kind: 'operator' }>;

export function OperatorDashboard({ view }: { view: Shown }) {
  const { figures, error } = view;
  const { gateways, books } = figures;
  const answered = gateways.flatMap(({ pid, figures: said }) => (said === null ? [] : [{ pid, ...said }]));
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <PageHead view={view} />
      {error !== null && (
        <Notice tone="warn" title={operatorWords.outOfDate}>
          {error.message}
        </Notice>
      )}
      <TrafficGlance gateways={answered} days={books.days} />
      <BooksGlance books={books} />
      <DayTotals days={books.days} />
      <MarginsSection presented={view.presented} />
      <div className="grid gap-8 lg:grid-cols-2">
        <RefusalList refusals={mergedRefusals(answered)} />
        <OpenPayments payments={books.openPayments} />
      </div>
      <UpstreamSection gateways={answered} />
      <GatewayTable gateways={gateways} />
    </div>
  );
}

function PageHead({ view: { updatedAtMs, refresh, isByKey } }: { view: Shown }) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
      <div className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight max-sm:sr-only">{operatorWords.title}</h1>
        <p className="text-dim">{operatorWords.intro}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-faint">
        <span>
          {operatorWords.asOf} <span className="figures">{formatMoment(updatedAtMs)}</span>
          {operatorWords.readAgain}
        </span>
        <Button size="sm" tone="quiet" onClick={refresh}>
          <RotateCw aria-hidden />
          {operatorWords.refresh}
        </Button>
        {isByKey && (
          <Button size="sm" tone="quiet" onClick={forgetOperatorKey}>
            <KeyRound aria-hidden />
            {operatorWords.forgetKey}
          </Button>
        )}
      </div>
    </header>
  );
}

const refusalWords = operatorWords.refusals;

function RefusalList({ refusals }: { refusals: readonly { code: string; count: number }[] }) {
  const most = refusals[0]?.count ?? 0;
  return (
    <OperatorSection title={refusalWords.title}>
      {refusals.length === 0 ? (
        <EmptyState drawing="rows">{refusalWords.nothing}</EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {refusals.map(({ code, count }) => (
            <li key={code} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-3 py-2 text-sm">
              <code className="figures text-xs wrap-anywhere">{code}</code>
              <span className="figures text-right">{formatCount(count)}</span>
              <span aria-hidden className="col-span-2 mt-1.5 h-1 rounded-full bg-hover">
                <span
                  className="block h-full rounded-full bg-amber"
                  style={{ width: `${Math.max(1, (count / most) * 100)}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </OperatorSection>
  );
}

/** Adds up all processes' refusals by code. Sorts by count, then by code. */
export function mergedRefusals(
  gateways: readonly Pick<GatewayFigures, 'refusals'>[],
): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { refusals } of gateways)
    for (const [code, count] of Object.entries(refusals)) counts.set(code, (counts.get(code) ?? 0) + count);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

const paymentWords = operatorWords.payments;

function OpenPayments({ payments }: { payments: BooksFigures['openPayments'] }) {
  return (
    <OperatorSection title={paymentWords.title}>
      {payments.length === 0 ? (
        <EmptyState drawing="coins">{paymentWords.nothing}</EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {payments.map(({ state, payments: count, nanoUsd, oldestAt }) => (
            <li key={state} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
              <span>{paymentWords.states[state] ?? state}</span>
              <span className="figures text-right">{formatCount(count)}</span>
              <span className="text-xs text-dim">
                {paymentWords.oldest}{' '}
                <time dateTime={oldestAt} className="figures">
                  {formatMoment(Date.parse(oldestAt))}
                </time>
              </span>
              <span className="figures text-right text-xs text-dim">{formatUsdNumber(nanoUsd / 1e9)}</span>
            </li>
          ))}
        </ul>
      )}
    </OperatorSection>
  );
}

const words = operatorWords.traffic;

function TrafficGlance({ gateways, days }: { gateways: readonly GatewayFigures[]; days: BooksFigures['days'] }) {
  const { perSecond, errorShare, p95Ms, windowMs } = mergedTraffic(gateways);
  const today = days.at(-1);
  return (
    <section aria-label={words.label} className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
      <Figure name={words.perSecond} note={windowMs === null ? words.notYet : words.window(windowMs)}>
        {perSecond === null ? words.none : words.rate(perSecond)}
      </Figure>
      <Figure name={words.p95} note={words.p95Note}>
        {p95Ms === null ? words.none : formatDuration(p95Ms)}
      </Figure>
      <Figure name={words.errors} note={words.errorsNote}>
        {errorShare === null ? words.none : words.share(errorShare)}
      </Figure>
      <Figure name={words.income} note={operatorWords.glance.charges(today?.charges ?? 0)}>
        {formatSum(today?.chargedNanoUsd ?? 0)}
      </Figure>
    </section>
  );
}

/** Traffic of all processes; null for unknown values. */
export interface MergedTraffic {
  perSecond: number | null;
  errorShare: number | null;
  /** p95 of the slowest process, because percentiles cannot be added. */
  p95Ms: number | null;
  /** Longest measurement window of any process. */
  windowMs: number | null;
}

export function mergedTraffic(gateways: readonly Pick<GatewayFigures, 'traffic'>[]): MergedTraffic {
  const known = gateways.flatMap(({ traffic }) => traffic ?? []);
  if (known.length === 0) return { perSecond: null, errorShare: null, p95Ms: null, windowMs: null };
  const requests = known.reduce((sum, each) => sum + each.requests, 0);
  const durations = known.flatMap(({ p95Ms }) => p95Ms ?? []);
  return {
    perSecond: known.reduce((sum, each) => sum + (each.requests / each.windowMs) * 1_000, 0),
    errorShare: requests === 0 ? null : known.reduce((sum, { failed }) => sum + failed, 0) / requests,
    p95Ms: durations.length === 0 ? null : Math.max(...durations),
    windowMs: Math.max(...known.map(({ windowMs }) => windowMs)),
  };
}

const glanceWords = operatorWords.glance;

function BooksGlance({ books: { accounts, keys, days, openPayments, ledgerCheck } }: { books: BooksFigures }) {
  const today = days.at(-1);
  const open = openPayments.reduce((sum, { payments }) => sum + payments, 0);
  const openNanoUsd = openPayments.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0);
  const oldest = Math.min(...openPayments.map(({ oldestAt }) => Date.parse(oldestAt)));
  return (
    <section
      aria-label={glanceWords.label}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4"
    >
      <Tile name={glanceWords.paidIn} note={glanceWords.byX402}>
        {formatSum(today?.paidInNanoUsd ?? 0)}
      </Tile>
      <Tile name={glanceWords.accounts} note={glanceWords.keys(keys.live, keys.ended)}>
        {formatCount(accounts)}
      </Tile>
      <Tile
        name={glanceWords.openPayments}
        note={
          open === 0 ? glanceWords.nothingOpen : `${formatBalance(openNanoUsd / 1e9)}, ${glanceWords.oldest(oldest)}`
        }
      >
        {formatCount(open)}
      </Tile>
      <Books ledgerCheck={ledgerCheck} />
    </section>
  );
}

function Books({ ledgerCheck }: Pick<BooksFigures, 'ledgerCheck'>) {
  if (ledgerCheck === null) {
    return (
      <Tile name={glanceWords.books} note={<code className="figures">{glanceWords.checkThem}</code>}>
        <TriangleAlert aria-hidden className="mr-1.5 size-4 text-amber-ink" />
        <span className="font-sans text-lg">{glanceWords.neverChecked}</span>
      </Tile>
    );
  }
  const { at, faults } = ledgerCheck;
  return (
    <Tile name={glanceWords.books} note={glanceWords.checked(Date.parse(at))}>
      {faults === 0 ? (
        <CircleCheck aria-hidden className="mr-1.5 size-4 text-good" />
      ) : (
        <CircleX aria-hidden className="mr-1.5 size-4 text-bad" />
      )}
      <span className="font-sans text-lg">{faults === 0 ? glanceWords.agree : glanceWords.faults(faults)}</span>
    </Tile>
  );
}

function Tile({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 bg-ground px-4 py-3">
      <p className="text-xs text-faint">{name}</p>
      <p className="figures flex min-h-9 items-center text-xl font-semibold [&_svg]:shrink-0">{children}</p>
      <p className="text-xs text-dim">{note}</p>
    </div>
  );
}

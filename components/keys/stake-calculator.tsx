'use client';

import { MoneyBuys } from '@/components/billing/money-buys';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/text/amounts';
import { formatToken, plannedStake, type PoolFigures, useStakingPool } from './staking/allocation';
import { keysWords } from './words';
import { useId, useState } from 'react';

const words = keysWords.calculator;

const PRESETS = ['0.1', '1', '10', '100'];

/** Estimates a stake's daily credits from the current pool, for users without an Ethereum wallet. */
export function StakeCalculator({ symbol, dailyPoolUsd }: { symbol: string; dailyPoolUsd: number }) {
  const pool = useStakingPool();
  return (
    <section aria-label={words.title(symbol)} className="grid content-start gap-4 rounded-md border border-line p-4">
      <header className="grid gap-1">
        <h2 className="text-lg font-semibold">{words.title(symbol)}</h2>
        <p className="text-sm text-dim">{words.intro(usd(dailyPoolUsd), symbol)}</p>
      </header>
      {pool.isPending && <Skeleton className="h-56" />}
      {pool.isError && pool.data === undefined && (
        <Notice
          tone="bad"
          title={words.unread}
          actions={
            <Button size="sm" onClick={() => void pool.refetch()}>
              {keysWords.tryAgain}
            </Button>
          }
        >
          {words.chainSilent}
        </Notice>
      )}
      {pool.data && <Calculator symbol={symbol} pool={{ ...pool.data, dailyPoolUsd }} />}
    </section>
  );
}

function Calculator({ symbol, pool }: { symbol: string; pool: PoolFigures }) {
  const id = useId();
  const [text, setText] = useState('1');
  const planned = plannedStake(text, pool);
  const usdPerDay = planned.ok ? planned.usdPerDay : 0;
  return (
    <div className="grid gap-4">
      <Field label={words.ifYouStaked} hint={symbol} htmlFor={id} message={planned.ok ? undefined : planned.sentence}>
        <div className="flex flex-wrap gap-2">
          <Input
            id={id}
            value={text}
            inputMode="decimal"
            className="figures w-32 flex-1"
            onChange={(event) => setText(event.target.value)}
            aria-invalid={!planned.ok}
            aria-describedby={`${id}-message`}
          />
          {PRESETS.map((preset) => (
            <Button
              key={preset}
              aria-pressed={text === preset}
              onClick={() => setText(preset)}
              className="figures"
              aria-label={words.preset(preset, symbol)}
            >
              {preset}
            </Button>
          ))}
        </div>
      </Field>
      <div className="grid gap-1.5" aria-live="polite">
        <p className="flex items-baseline justify-between gap-3">
          <span className="text-sm text-dim">{words.aDay}</span>
          <output htmlFor={id} className="figures text-2xl font-semibold">
            {usd(usdPerDay)}
          </output>
        </p>
        <ShareBar share={planned.ok && !planned.isUnderMinimum ? planned.share : 0} />
        <p className="text-xs text-dim">
          {planned.ok && planned.isUnderMinimum ? words.tooLittle(symbol) : ''}
          {pool.total === 0n ? words.nobody(symbol) : words.everybody(formatToken(pool.total, pool.decimals), symbol)}
        </p>
      </div>
      <MoneyBuys usd={usdPerDay} title={words.buys} />
    </div>
  );
}

function ShareBar({ share }: { share: number }) {
  const percent = share * 100;
  return (
    <div className="flex items-center gap-2">
      <svg
        role="img"
        aria-label={words.ofPool(formatPercent(percent))}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        className="h-1.5 flex-1 overflow-hidden rounded-full"
      >
        <rect width="100" height="4" className="fill-hover" />
        <rect width={Math.min(100, percent)} height="4" className="fill-amber" />
      </svg>
      <span aria-hidden className="figures w-16 text-right text-xs text-dim">
        {formatPercent(percent)}
      </span>
    </div>
  );
}

function usd(amount: number): string {
  return formatCost(amount.toFixed(amount > 0 && amount < 1 ? 4 : 2));
}

function formatPercent(percent: number): string {
  return percent > 0 && percent < 0.01 ? '<0.01%' : `${percent.toFixed(2)}%`;
}

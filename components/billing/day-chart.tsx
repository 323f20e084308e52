'use client';

import { formatUsdNumber } from '@/lib/browser/amounts';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

/** Charges by day as bars. `days` has every day of the period, those without charges too. */
export function DayChart({ days }: { days: readonly { day: string; usd: number; charges: number }[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={[...days]} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="day" tickFormatter={shortDay} tickLine={false} axisLine={{ stroke: 'var(--color-edge)' }} tick={TICK} minTickGap={24} />
        <YAxis tickFormatter={(usd: number) => shortUsd(usd)} tickLine={false} axisLine={false} tick={TICK} width={72} />
        <Tooltip cursor={{ fill: 'var(--color-hover)' }} content={({ active, payload }) => (active && payload?.[0] ? <Tip day={payload[0].payload as { day: string; usd: number; charges: number }} /> : null)} isAnimationActive={false} />
        <Bar dataKey="usd" fill="var(--color-amber)" radius={[2, 2, 0, 0]} maxBarSize={28} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

const TICK = { fontSize: 11, fill: 'var(--color-faint)' } as const;

function Tip({ day: { day, usd, charges } }: { day: { day: string; usd: number; charges: number } }) {
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs shadow-overlay">
      <p className="text-dim">{day}</p>
      <p className="figures">{formatUsdNumber(usd)}</p>
      <p className="text-dim">
        <span className="figures">{charges.toLocaleString('en-US')}</span> {charges === 1 ? 'charge' : 'charges'}
      </p>
    </div>
  );
}

function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

function shortUsd(usd: number): string {
  if (usd === 0) return '$0';
  return usd >= 1 ? `$${usd.toLocaleString('en-US', { maximumFractionDigits: 2 })}` : `$${usd.toLocaleString('en-US', { maximumSignificantDigits: 2, maximumFractionDigits: 9 })}`;
}

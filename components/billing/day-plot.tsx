'use client';

import { cn } from '@/components/ui/class-names';
import { formatDay } from '@/lib/browser/text/moments';
import { type ReactNode, useState } from 'react';

const NAMED_DAYS = 5;
/** Minimum height of a bar with a value above zero, in percent of the plot. Keeps the bar visible. */
const SEEN_PERCENT = 0.8;

interface DayPlotProps<PlottedDay extends { day: string }> {
  days: readonly PlottedDay[];
  topOf: (day: PlottedDay) => number;
  /** @param heightOf converts a value to a height on the plot's scale */
  bars: (day: PlottedDay, heightOf: (value: number) => string) => ReactNode;
  tip: (day: PlottedDay) => ReactNode;
  axisText?: (value: number) => string;
  nameOf?: (day: string) => string;
  /** Called with the day that was clicked. The page must offer the same choice to keyboard users. */
  onChoose?: ((day: string) => void) | undefined;
}

export function DayPlot<PlottedDay extends { day: string }>({
  days,
  topOf,
  bars,
  tip,
  axisText = shortUsd,
  nameOf = formatDay,
  onChoose,
}: DayPlotProps<PlottedDay>) {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const top = axisTopOf(Math.max(...days.map(topOf)));
  const heightOf = (value: number): string => `${value === 0 ? 0 : Math.max(SEEN_PERCENT, (value / top) * 100)}%`;
  const pointed = pointedAt === null ? undefined : days[pointedAt];
  return (
    <div className="grid h-full grid-cols-[4.5rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_1.25rem] pt-2 pr-2 text-[0.6875rem] text-faint">
      <Axis top={top} text={axisText} />
      <div
        className="relative border-b border-edge bg-[linear-gradient(var(--color-line)_1px,transparent_1px)] bg-size-[100%_50%]"
        onPointerLeave={() => setPointedAt(null)}
      >
        <div className="flex h-full items-stretch">
          {days.map((day, index) => (
            <div
              key={day.day}
              className={cn(
                'flex min-w-0 flex-1 items-end justify-center gap-px hover:bg-hover',
                onChoose !== undefined && 'cursor-pointer',
              )}
              onPointerEnter={() => setPointedAt(index)}
              onClick={() => onChoose?.(day.day)}
            >
              {bars(day, heightOf)}
            </div>
          ))}
        </div>
        {pointed !== undefined && pointedAt !== null && (
          <Tip name={nameOf(pointed.day)} place={(pointedAt + 0.5) / days.length}>
            {tip(pointed)}
          </Tip>
        )}
      </div>
      <DayNames days={days} nameOf={nameOf} />
    </div>
  );
}

function Axis({ top, text }: { top: number; text: (value: number) => string }) {
  return (
    <div className="flex flex-col items-end justify-between pr-2">
      {[top, top / 2, 0].map((value) => (
        <span key={value} className="-my-2 leading-4">
          {text(value)}
        </span>
      ))}
    </div>
  );
}

function DayNames({ days, nameOf }: { days: readonly { day: string }[]; nameOf: (day: string) => string }) {
  const step = Math.ceil(days.length / NAMED_DAYS);
  return (
    <div className="relative col-start-2">
      {days.map(({ day }, index) =>
        // Counts from the end, so that the newest day always has a label.
        (days.length - 1 - index) % step === 0 ? (
          <span
            key={day}
            className="absolute top-1 -translate-x-1/2 whitespace-nowrap"
            style={{ left: `${((index + 0.5) / days.length) * 100}%` }}
          >
            {nameOf(day)}
          </span>
        ) : null,
      )}
    </div>
  );
}

/** @param place position from 0 (left) to 1 (right); the tooltip opens on the side with more room */
function Tip({ name, place, children }: { name: string; place: number; children: ReactNode }) {
  const isLeft = place > 0.5;
  return (
    <div
      className="pointer-events-none absolute top-0 z-10 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap text-ink shadow-overlay"
      style={isLeft ? { right: `${(1 - place) * 100 + 2}%` } : { left: `${place * 100 + 2}%` }}
    >
      <p className="text-dim">{name}</p>
      {children}
    </div>
  );
}

function shortUsd(usd: number): string {
  if (usd === 0) return '$0';
  return usd >= 1
    ? `$${usd.toLocaleString('en-US', { maximumFractionDigits: 2 })}`
    : `$${usd.toLocaleString('en-US', { maximumSignificantDigits: 2, maximumFractionDigits: 9 })}`;
}

/**
 * Returns the upper end of a chart's axis: the smallest number that is at least `max` and is 1, 2, 4 or 10 times a
 * power of ten. Returns 1 if `max` is 0.
 */
export function axisTopOf(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 10].find((each) => each * power >= max) ?? 10;
  // Rounds, because powers of ten below one are inexact floats.
  return Number((step * power).toPrecision(1));
}

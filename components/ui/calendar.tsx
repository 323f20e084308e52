'use client';

import {
  addMonths,
  dayAt,
  dayForKey,
  dayTitle,
  isDay,
  monthTitle,
  WEEKDAYS,
  weeksOf,
} from '@/lib/browser/text/calendar-days';
import { uiWords } from './words';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from './button';

/** Shows a month (WAI-ARIA date grid) from today on. Arrows move by days and weeks, Page Up and Down by months. */
export function Calendar({ value, onChoose }: { value: string; onChoose: (day: string) => void }) {
  const [today] = useState(() => dayAt(Date.now()));
  const [active, setActive] = useState(isDay(value) && value >= today ? value : today);
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(true);
  const show = (day: string) => setActive(day < today ? today : day);
  useEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoved.current = false;
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayForKey(event.key, active);
    if (next === null) return;
    event.preventDefault();
    isMoved.current = true;
    show(next);
  };
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between">
        <Button
          tone="quiet"
          size="iconSm"
          aria-label={uiWords.calendar.earlier}
          disabled={active.slice(0, 7) === today.slice(0, 7)}
          onClick={() => show(addMonths(active, -1))}
        >
          <ChevronLeft aria-hidden />
        </Button>
        <span aria-live="polite" className="font-medium">
          {monthTitle(active)}
        </span>
        <Button
          tone="quiet"
          size="iconSm"
          aria-label={uiWords.calendar.later}
          onClick={() => show(addMonths(active, 1))}
        >
          <ChevronRight aria-hidden />
        </Button>
      </div>
      <table ref={grid} role="grid" aria-label={monthTitle(active)} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="pb-1 text-xs font-normal text-faint">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(active).map((week, row) => (
            <tr key={week.find((day) => day !== null) ?? row}>
              {week.map((day, column) => (
                <td key={day ?? column} className="p-0" aria-selected={day === null ? undefined : day === value}>
                  {day !== null && (
                    <Button
                      tone="quiet"
                      size="icon"
                      tabIndex={day === active ? 0 : -1}
                      aria-label={dayTitle(day)}
                      aria-current={day === today ? 'date' : undefined}
                      disabled={day < today}
                      className={`figures font-normal ${day === value ? 'bg-amber-soft text-amber-ink' : 'text-ink'}`}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </Button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

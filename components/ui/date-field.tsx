'use client';

import { uiWords } from './words';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';
import { Input } from './field';
import { onDemand } from './on-demand';
import { Popover, PopoverContent, PopoverTrigger } from './popover';
import { Skeleton } from './skeleton';

const Calendar = onDemand(() => import('./calendar').then((module) => module.Calendar), {
  waiting: <Skeleton className="h-64 w-64" />,
});

interface DateFieldProps {
  id: string;
  /** Day such as `2027-01-31`, or invalid text. */
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

export function DateField({ value, onChange, disabled, ...props }: DateFieldProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        value={value}
        disabled={disabled}
        placeholder={uiWords.calendar.example}
        maxLength={10}
        onChange={(event) => onChange(event.target.value)}
        className="figures pr-9 pointer-coarse:pr-11"
      />
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild preload={Calendar.preload} disabled={disabled} aria-label={uiWords.calendar.choose}>
          <Button tone="quiet" size="icon" className="absolute top-0 right-0">
            <CalendarDays aria-hidden />
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label={uiWords.calendar.choose} align="end">
          <Calendar
            value={value}
            onChoose={(day) => {
              setOpen(false);
              onChange(day);
            }}
          />
        </PopoverContent>
      </Popover>
    </div>
  );
}

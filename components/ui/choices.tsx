import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './class-names';

interface ChoicesProps<Value extends string | number> {
  label: string;
  values: readonly Value[];
  chosen: Value | null;
  nameOf?: (value: Value) => ReactNode;
  onChoose: (value: Value) => void;
  disabled?: boolean;
  className?: string;
}

/** Row of small buttons, one of which is chosen. */
export function Choices<Value extends string | number>({
  label,
  values,
  chosen,
  nameOf = (value) => value,
  onChoose,
  disabled = false,
  className,
}: ChoicesProps<Value>) {
  return (
    <div role="group" aria-label={label} className={cn('flex flex-wrap gap-1', className)}>
      {values.map((value) => (
        <Button
          key={value}
          size="sm"
          tone="quiet"
          disabled={disabled}
          aria-pressed={value === chosen}
          className="aria-pressed:bg-hover aria-pressed:text-ink"
          onClick={() => onChoose(value)}
        >
          {nameOf(value)}
        </Button>
      ))}
    </div>
  );
}

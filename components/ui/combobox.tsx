'use client';

import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cn } from './class-names';
import type { ComboboxGroup } from './options';
import { onDemand } from './on-demand';
import { Popover, PopoverContent, PopoverTrigger } from './popover';
import { Skeleton } from './skeleton';

const OptionList = onDemand(() => import('./option-list').then((module) => module.OptionList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

interface PickerProps {
  label: string;
  value: string | null;
  /** Visible text of the picker; by default the value. The accessible name must contain this text (WCAG 2.5.3). */
  shown?: string | undefined;
  onChoose: (value: string) => void;
  children: ReactNode;
  className?: string;
  contentClassName?: string;
  disabled?: boolean;
}

interface ComboboxProps extends PickerProps {
  groups: readonly ComboboxGroup[] | null;
  searchPlaceholder: string;
  emptyText: string;
}

interface PickerFrameProps extends PickerProps {
  renderList: (choose: (value: string) => void) => ReactNode;
  preload: () => void;
}

/** Picker with search (ARIA combobox pattern). */
export function Combobox(props: ComboboxProps) {
  return (
    <PickerFrame
      {...props}
      preload={OptionList.preload}
      renderList={(choose) =>
        props.groups === null ? (
          <Skeleton className="m-2 h-40" />
        ) : (
          <OptionList {...props} groups={props.groups} choose={choose} />
        )
      }
    />
  );
}

function nameOf({ label, value, shown }: PickerProps): string {
  if (value === null) return label;
  if (shown?.startsWith(value)) return `${label}: ${shown}`;
  return [`${label}: ${value}`, shown].filter(Boolean).join(', ');
}

export function PickerFrame(props: PickerFrameProps) {
  const [open, setOpen] = useState(false);
  const choose = (value: string) => {
    setOpen(false);
    props.onChoose(value);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger
        aria-label={nameOf(props)}
        disabled={props.disabled ?? false}
        preload={props.preload}
        title={props.value ?? undefined}
        className={cn(
          'flex h-8 min-w-0 items-center gap-2 rounded-md border border-edge bg-ground px-2.5 text-left text-sm hover:bg-hover disabled:opacity-60 aria-disabled:opacity-60 pointer-coarse:h-10',
          props.className,
        )}
      >
        <span className="flex min-w-0 flex-1 items-center gap-2">{props.children}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </PopoverTrigger>
      <PopoverContent
        className={cn(
          'flex w-(--radix-popover-trigger-width) min-w-72 max-w-[calc(100vw-16px)] flex-col overflow-hidden p-0',
          props.contentClassName,
        )}
      >
        {props.renderList(choose)}
      </PopoverContent>
    </Popover>
  );
}

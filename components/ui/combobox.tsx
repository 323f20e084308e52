'use client';

import { Command } from 'cmdk';
import { Check, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { cn } from './class-names';
import { Popover, PopoverContent, PopoverTrigger } from './popover';
import { rankMatch } from './search-rank';

/** One choice. `keywords` are found by the search, beside `value`. */
export interface ComboboxOption {
  value: string;
  keywords?: readonly string[];
  /** How it looks in the list. */
  content: ReactNode;
}

export interface ComboboxGroup {
  heading: string;
  options: readonly ComboboxOption[];
}

interface ComboboxProps {
  /** What is chosen here, for screen readers. */
  label: string;
  value: string | null;
  onChoose: (value: string) => void;
  groups: readonly ComboboxGroup[];
  /** How the chosen value looks on the closed control. */
  children: ReactNode;
  searchPlaceholder: string;
  /** Said where nothing matches the search. */
  emptyText: string;
  className?: string;
  contentClassName?: string;
  disabled?: boolean;
}

/** A picker with search: type to narrow, arrows to move, Enter to choose (ARIA combobox pattern). */
export function Combobox(props: ComboboxProps) {
  const [open, setOpen] = useState(false);
  const choose = (value: string) => {
    setOpen(false);
    props.onChoose(value);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger
        aria-label={props.value === null ? props.label : `${props.label}: ${props.value}`}
        disabled={props.disabled ?? false}
        title={props.value ?? undefined}
        className={cn('flex h-8 min-w-0 items-center gap-2 rounded-md border border-edge bg-ground px-2.5 text-left text-sm hover:bg-hover disabled:opacity-60 pointer-coarse:h-10', props.className)}
      >
        <span className="flex min-w-0 flex-1 items-center gap-2">{props.children}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </PopoverTrigger>
      <PopoverContent className={cn('flex w-(--radix-popover-trigger-width) min-w-72 max-w-[calc(100vw-16px)] flex-col overflow-hidden p-0', props.contentClassName)}>
        <OptionList {...props} choose={choose} />
      </PopoverContent>
    </Popover>
  );
}

function OptionList({ label, value, groups, searchPlaceholder, emptyText, choose }: ComboboxProps & { choose: (value: string) => void }) {
  const list = useRef<HTMLDivElement>(null);
  // The best match comes first, but the list would stay where the chosen option was.
  const showBestMatch = () => requestAnimationFrame(() => list.current?.scrollTo({ top: 0 }));
  return (
    <Command label={label} {...(value === null ? {} : { defaultValue: value })} filter={rankMatch} loop className="flex min-h-0 flex-col">
      <Command.Input onValueChange={showBestMatch} placeholder={searchPlaceholder} className="h-9 shrink-0 border-b border-line bg-transparent px-3 text-sm outline-none placeholder:text-faint" />
      <Command.List ref={list} className="max-h-80 scroll-py-1 overflow-auto p-1">
        <Command.Empty className="px-2 py-6 text-center text-sm text-dim">{emptyText}</Command.Empty>
        {groups.map((group) => (
          <Command.Group key={group.heading} heading={group.heading} className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint">
            {group.options.map((option) => (
              <Command.Item
                key={option.value}
                value={option.value}
                keywords={[...(option.keywords ?? [])]}
                onSelect={() => choose(option.value)}
                className="flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 text-sm data-[selected=true]:bg-hover pointer-coarse:min-h-10"
              >
                <Check aria-hidden className={cn('size-3.5 shrink-0', option.value === value ? 'text-amber-ink' : 'invisible')} />
                <span className="flex min-w-0 flex-1 items-center gap-2">{typeof option.content === 'string' ? <span className="min-w-0 wrap-anywhere">{option.content}</span> : option.content}</span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

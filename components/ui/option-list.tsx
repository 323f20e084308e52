'use client';

import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { cn } from './class-names';
import type { ComboboxGroup } from './options';
import { rankMatch, useBestMatchShown } from './best-match';

export interface OptionListProps {
  label: string;
  value: string | null;
  groups: readonly ComboboxGroup[];
  searchPlaceholder: string;
  emptyText: string;
  choose: (value: string) => void;
}

/** Open list of a picker: a search field and the matching options, best match first. */
export function OptionList({ label, value, groups, searchPlaceholder, emptyText, choose }: OptionListProps) {
  const { list, showBestMatch } = useBestMatchShown();
  return (
    <Command
      label={label}
      {...(value === null ? {} : { defaultValue: value })}
      filter={rankMatch}
      loop
      className="flex min-h-0 flex-col"
    >
      <Command.Input
        autoFocus
        onValueChange={showBestMatch}
        placeholder={searchPlaceholder}
        className="h-9 shrink-0 border-b border-line bg-transparent px-3 text-sm outline-none placeholder:text-faint"
      />
      <Command.List ref={list} className="max-h-80 scroll-py-1 overflow-auto p-1">
        <Command.Empty className="px-2 py-6 text-center text-sm text-dim">{emptyText}</Command.Empty>
        {groups.map((group) => (
          <Command.Group
            key={group.heading}
            heading={group.heading}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
          >
            {group.options.map((option) => (
              <Command.Item
                key={option.value}
                value={option.value}
                keywords={[...(option.keywords ?? [])]}
                onSelect={() => choose(option.value)}
                className="flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 text-sm data-[selected=true]:bg-hover pointer-coarse:min-h-10"
              >
                <Check
                  aria-hidden
                  className={cn('size-3.5 shrink-0', option.value === value ? 'text-amber-ink' : 'invisible')}
                />
                <span className="flex min-w-0 flex-1 items-center gap-2">
                  {typeof option.content === 'string' ? (
                    <span className="min-w-0 wrap-anywhere">{option.content}</span>
                  ) : (
                    option.content
                  )}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

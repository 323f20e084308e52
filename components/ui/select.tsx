'use client';

import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { cn } from './class-names';
import { HeldButton } from './held-button';
import { onDemand } from './on-demand';
import { labelOf, type SelectOption } from './options';

const SelectList = onDemand(() => import('./select-list').then((module) => module.SelectList), { floats: true });

interface SelectProps {
  id?: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  disabled?: boolean;
  className?: string;
  /** Shown instead of the text if there is little space. */
  icon?: ReactNode;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
}

/** Pause after which typed letters start a new search. */
const TYPING_PAUSE_MS = 600;

/**
 * Field with a list of options (WAI-ARIA's select-only combobox). Focus stays on the field. The code of the list loads
 * when the field is hovered, pressed or focused.
 */
export function Select({ value, options, onChange, disabled = false, className, icon, ...props }: SelectProps) {
  const listId = useId();
  const field = useRef<HTMLButtonElement>(null);
  /** Index of the option that Enter would choose; null while closed. */
  const [active, setActive] = useState<number | null>(null);
  const typed = useRef({ text: '', atMs: 0 });
  const hasChosenBySpace = useRef(false);
  const chosen = options.findIndex((option) => option.value === value);
  const isOpen = active !== null && !disabled;
  const open = (index = Math.max(chosen, 0)) => options.length > 0 && setActive(index);
  const choose = (index: number) => {
    setActive(null);
    const option = options[index];
    if (option !== undefined && option.value !== value) onChange(option.value);
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (disabled || event.ctrlKey || event.metaKey) return;
    const { key, altKey } = event;
    const isFresh = event.timeStamp - typed.current.atMs > TYPING_PAUSE_MS;
    if (isOpen && (key === 'Enter' || key === 'Tab' || (key === ' ' && isFresh))) {
      if (key !== 'Tab') event.preventDefault();
      hasChosenBySpace.current = key === ' ';
      choose(active);
      return;
    }
    const next = altKey ? null : indexForKey(key, active ?? Math.max(chosen, 0), options.length);
    if (next !== null || key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (altKey && key === 'ArrowUp' && isOpen) choose(active);
      else open(isOpen || key === 'Home' || key === 'End' ? (next ?? undefined) : undefined);
      return;
    }
    if (!isTyping(key) || altKey) return;
    if (key === ' ' && (isFresh || !isOpen)) return;
    event.preventDefault();
    typed.current = { text: (isFresh ? '' : typed.current.text) + key, atMs: event.timeStamp };
    open(matchTyped(typed.current.text, options.map(labelOf), active ?? chosen) ?? active ?? undefined);
  };
  return (
    <>
      <HeldButton
        ref={field}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        disabled={disabled}
        className={cn(
          'flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-edge bg-ground px-2.5 text-left text-sm text-ink hover:bg-hover disabled:opacity-60 aria-disabled:opacity-60 aria-invalid:border-bad pointer-coarse:h-10',
          className,
        )}
        {...props}
        onPointerEnter={SelectList.preload}
        onPointerDown={SelectList.preload}
        onFocus={SelectList.preload}
        onClick={() => {
          // Safari does not focus a pressed button.
          field.current?.focus();
          if (isOpen) setActive(null);
          else open();
        }}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => {
          // Keeps Firefox from activating the button when Space is released.
          if (event.key === ' ' && hasChosenBySpace.current) event.preventDefault();
          hasChosenBySpace.current = false;
        }}
      >
        {icon}
        <span className={icon === undefined ? 'min-w-0 flex-1 truncate' : 'sr-only'}>{labelOf(options[chosen])}</span>
        {icon === undefined && <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />}
      </HeldButton>
      {isOpen && (
        <SelectList
          id={listId}
          field={field}
          label={props['aria-label']}
          options={options}
          chosen={chosen}
          active={active}
          onPoint={setActive}
          onChoose={choose}
          onLeave={() => setActive(null)}
        />
      )}
    </>
  );
}

const PAGE = 10;

/** Returns the index of the option that a key activates; null for other keys. */
export function indexForKey(key: string, from: number, count: number): number | null {
  const last = count - 1;
  const moves: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + PAGE,
    PageUp: from - PAGE,
    Home: 0,
    End: last,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined || count === 0 ? null : Math.max(0, Math.min(last, next));
}

export function isTyping(key: string): boolean {
  return [...key].length === 1;
}

/**
 * Returns the index of the option that begins with the typed text, searching from `from` with wrap-around. Repeating a
 * letter moves to the next option with this initial.
 */
export function matchTyped(typed: string, labels: readonly string[], from: number): number | null {
  const text = typed.toLowerCase();
  const isRepeated = [...text].every((letter) => letter === text[0]);
  const sought = isRepeated ? (text[0] ?? '') : text;
  const start = Math.max(0, from) + (isRepeated && from >= 0 ? 1 : 0);
  for (let step = 0; step < labels.length; step++) {
    const index = (start + step) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(sought)) return index;
  }
  return null;
}

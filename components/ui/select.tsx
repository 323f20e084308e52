'use client';

import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cn } from './class-names';
import { HeldButton } from './held-button';
import { indexForKey, isTyping, matchTyped } from './select-keys';

export interface SelectOption {
  value: string;
  /** Text of the option; the value by default. */
  label?: string;
  /** Heading above the option and those that follow with the same heading. */
  group?: string;
}

interface SelectProps {
  id?: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  disabled?: boolean;
  className?: string;
  /** Replaces the shown text, where there is no room for it. */
  icon?: ReactNode;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
}

/** Typed letters belong together until this pause. */
const TYPING_PAUSE_MS = 600;
const GAP_PX = 4;

/**
 * Field with a list of options (WAI-ARIA's select-only combobox). The focus stays on the field; arrows, Home, End and
 * letters move in the list, Enter, Space and Tab choose, Escape closes. The list is a popover in the top layer.
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
        onClick={() => {
          // Safari does not focus a button that is pressed.
          field.current?.focus();
          if (isOpen) setActive(null);
          else open();
        }}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => {
          // Firefox presses a button when the key comes up.
          if (event.key === ' ' && hasChosenBySpace.current) event.preventDefault();
          hasChosenBySpace.current = false;
        }}
      >
        {icon}
        <span className={icon === undefined ? 'min-w-0 flex-1 truncate' : 'sr-only'}>{labelOf(options[chosen])}</span>
        {icon === undefined && <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />}
      </HeldButton>
      {isOpen && (
        <OptionPopover
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

interface OptionPopoverProps {
  id: string;
  field: { readonly current: HTMLButtonElement | null };
  label: string | undefined;
  options: readonly SelectOption[];
  chosen: number;
  active: number;
  onPoint: (index: number) => void;
  onChoose: (index: number) => void;
  onLeave: () => void;
}

function OptionPopover({ id, field, label, options, chosen, active, onPoint, onChoose, onLeave }: OptionPopoverProps) {
  const list = useRef<HTMLDivElement>(null);
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    const [opened, button] = [list.current, field.current];
    if (opened === null || button === null) return;
    opened.showPopover();
    placeBeside(opened, button);
    const close = () => leave.current();
    const closeIfElsewhere = ({ target }: Event) => {
      const isInside = target instanceof Node && (opened.contains(target) || button.contains(target));
      if (!isInside) close();
    };
    const events = new AbortController();
    const { signal } = events;
    // Before a dialog around the field hears the key and closes.
    const closeByEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    window.addEventListener('keydown', closeByEscape, { signal, capture: true });
    button.addEventListener('blur', close, { signal });
    window.addEventListener('resize', close, { signal });
    document.addEventListener('pointerdown', closeIfElsewhere, { signal, capture: true });
    document.addEventListener('scroll', closeIfElsewhere, { signal, capture: true, passive: true });
    return () => events.abort();
  }, [field]);
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      popover="manual"
      aria-label={label ?? field.current?.labels[0]?.textContent ?? undefined}
      className="fixed inset-auto m-0 max-w-[calc(100vw-16px)] animate-appear overflow-auto rounded-md border border-line bg-raised p-1 text-sm text-ink shadow-overlay"
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        <OptionRow
          key={option.value}
          id={`${id}-${index}`}
          option={option}
          heading={option.group !== options[index - 1]?.group ? option.group : undefined}
          isChosen={index === chosen}
          isActive={index === active}
          onPoint={() => onPoint(index)}
          onChoose={() => onChoose(index)}
        />
      ))}
    </div>
  );
}

interface OptionRowProps {
  id: string;
  option: SelectOption;
  heading: string | undefined;
  isChosen: boolean;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function OptionRow({ id, option, heading, isChosen, isActive, onPoint, onChoose }: OptionRowProps) {
  return (
    <>
      {heading !== undefined && (
        <div role="presentation" className="px-2 pt-2 pb-1 text-xs text-faint">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        data-active={isActive ? '' : undefined}
        onPointerMove={onPoint}
        onClick={onChoose}
        className="flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 data-active:bg-hover pointer-coarse:min-h-10"
      >
        <Check aria-hidden className={cn('size-3.5 shrink-0', isChosen ? 'text-amber-ink' : 'invisible')} />
        <span className="min-w-0 wrap-anywhere">{labelOf(option)}</span>
      </div>
    </>
  );
}

function labelOf(option: SelectOption | undefined): string {
  return option?.label ?? option?.value ?? '';
}

/** Puts the list below its field, or above it where there is more room. */
function placeBeside(list: HTMLElement, field: HTMLElement): void {
  const { top, bottom, left, width } = field.getBoundingClientRect();
  const [above, below] = [top, window.innerHeight - bottom].map((room) => room - 2 * GAP_PX) as [number, number];
  const isBelow = below >= Math.min(list.scrollHeight, above);
  list.style.minWidth = `${width}px`;
  list.style.maxHeight = `${Math.min(320, isBelow ? below : above)}px`;
  list.style.left = `${Math.max(GAP_PX, Math.min(left, window.innerWidth - list.offsetWidth - GAP_PX))}px`;
  if (isBelow) list.style.top = `${bottom + GAP_PX}px`;
  else list.style.bottom = `${window.innerHeight - top + GAP_PX}px`;
}

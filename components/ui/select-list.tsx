'use client';

import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cn } from './class-names';
import { labelOf, type SelectOption } from './options';

const GAP_PX = 4;

interface SelectListProps {
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

/** Open list of a select field. The list is a popover in the top layer and moves with the field. */
export function SelectList({ id, field, label, options, chosen, active, onPoint, onChoose, onLeave }: SelectListProps) {
  const list = useRef<HTMLDivElement>(null);
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    const [opened, button] = [list.current, field.current];
    if (opened === null || button === null) return;
    opened.showPopover();
    const place = () => placeBeside(opened, button);
    place();
    const close = () => leave.current();
    const closeIfElsewhere = ({ target }: Event) => {
      const isInside = target instanceof Node && (opened.contains(target) || button.contains(target));
      if (!isInside) close();
    };
    const events = new AbortController();
    const { signal } = events;
    // Keeps Escape from closing a dialog around the field.
    const closeByEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    window.addEventListener('keydown', closeByEscape, { signal, capture: true });
    button.addEventListener('blur', close, { signal });
    window.addEventListener('resize', place, { signal });
    document.addEventListener('pointerdown', closeIfElsewhere, { signal, capture: true });
    document.addEventListener('scroll', place, { signal, capture: true, passive: true });
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
      // Keeps focus on the field.
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

/** Opens below the field, or above if the list does not fit below and there is more room above. */
function placeBeside(list: HTMLElement, field: HTMLElement): void {
  const { top, bottom, left, width } = field.getBoundingClientRect();
  const [above, below] = [top, window.innerHeight - bottom].map((room) => room - 2 * GAP_PX) as [number, number];
  const isBelow = below >= Math.min(list.scrollHeight, above);
  list.style.minWidth = `${width}px`;
  list.style.maxHeight = `${Math.min(320, isBelow ? below : above)}px`;
  list.style.left = `${Math.max(GAP_PX, Math.min(left, window.innerWidth - list.offsetWidth - GAP_PX))}px`;
  list.style.top = isBelow ? `${bottom + GAP_PX}px` : 'auto';
  list.style.bottom = isBelow ? 'auto' : `${window.innerHeight - top + GAP_PX}px`;
}

'use client';

import { type ComponentProps, createContext, type KeyboardEvent, use, useId, useMemo } from 'react';
import { cn } from './class-names';

interface TabsState {
  value: string;
  choose: (value: string) => void;
  id: string;
}

const Context = createContext<TabsState>({ value: '', choose: () => undefined, id: '' });

interface TabsProps extends ComponentProps<'div'> {
  value: string;
  onValueChange: (value: string) => void;
}

/** Tabs and their panels (ARIA tabs pattern). */
export function Tabs({ value, onValueChange, className, ...props }: TabsProps) {
  const id = useId();
  const state = useMemo(() => ({ value, choose: onValueChange, id }), [value, onValueChange, id]);
  return (
    <Context value={state}>
      <div className={cn('flex min-h-0 min-w-0 flex-col', className)} {...props} />
    </Context>
  );
}

export function TabsList({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      role="tablist"
      aria-orientation="horizontal"
      onKeyDown={moveWithKeys}
      className={cn('flex h-full items-stretch gap-4', className)}
      {...props}
    />
  );
}

export function TabsTrigger({ value, className, ...props }: ComponentProps<'button'> & { value: string }) {
  const { value: chosen, choose, id } = use(Context);
  const isActive = chosen === value;
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-tab-${value}`}
      aria-selected={isActive}
      aria-controls={isActive ? `${id}-panel-${value}` : undefined}
      data-state={isActive ? 'active' : 'inactive'}
      tabIndex={isActive ? 0 : -1}
      onClick={() => choose(value)}
      className={cn(
        '-mx-1 -mb-px flex items-center gap-1.5 border-b-2 border-transparent px-1 text-sm outline-offset-[-2px] whitespace-nowrap text-dim transition-colors hover:text-ink data-[state=active]:border-amber data-[state=active]:text-ink',
        className,
      )}
      {...props}
    />
  );
}

interface TabsContentProps extends ComponentProps<'div'> {
  value: string;
  /** Keeps the hidden panel mounted while another tab is shown. */
  forceMount?: boolean;
}

export function TabsContent({ value, forceMount = false, className, ...props }: TabsContentProps) {
  const { value: chosen, id } = use(Context);
  const isActive = chosen === value;
  if (!isActive && !forceMount) return null;
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      data-state={isActive ? 'active' : 'inactive'}
      hidden={!isActive}
      tabIndex={0}
      className={cn('relative min-h-0 min-w-0 flex-1 outline-offset-[-2px]', className)}
      {...props}
    />
  );
}

function moveWithKeys(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]:not(:disabled)')];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const targets: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
  const target = targets[event.key];
  if (at === -1 || target === undefined) return;
  event.preventDefault();
  const tab = tabs[(target + tabs.length) % tabs.length];
  tab?.focus();
  tab?.click();
}

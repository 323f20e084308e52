'use client';

import { useHydrated } from '@/lib/browser/storage/stored-value';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './class-names';
import { useHeld } from './held-button';

/**
 * One-line text field with a red edge if `aria-invalid`. The field is read-only until hydration. A focused field that
 * becomes disabled is read-only instead, to keep focus.
 */
export function Input({
  className,
  readOnly = false,
  disabled = false,
  onFocus,
  onBlur,
  ...props
}: ComponentProps<'input'>) {
  const hydrated = useHydrated();
  const { isHeld, heldProps } = useHeld<HTMLInputElement>(disabled, { onFocus, onBlur });
  return (
    <input
      className={cn(
        'h-8 w-full min-w-0 rounded-md border border-edge bg-ground px-2.5 text-sm text-ink placeholder:text-faint disabled:opacity-60 aria-disabled:opacity-60 aria-invalid:border-bad pointer-coarse:h-10',
        className,
      )}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      {...heldProps}
      readOnly={readOnly || isHeld || !hydrated}
    />
  );
}

export function Field({
  label,
  htmlFor,
  hint,
  message,
  children,
}: {
  label: ReactNode;
  htmlFor: string;
  hint?: ReactNode;
  message?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <label htmlFor={htmlFor} className="text-sm font-medium">
          {label}
        </label>
        {hint && <span className="text-xs text-faint">{hint}</span>}
      </div>
      {children}
      {message && (
        <p id={`${htmlFor}-message`} className="text-xs text-bad">
          {message}
        </p>
      )}
    </div>
  );
}

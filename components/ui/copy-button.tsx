'use client';

import { Check, Copy, type LucideIcon, X } from 'lucide-react';
import { copyText } from '@/lib/browser/page/copy-text';
import { uiWords } from './words';
import { type ComponentProps, useEffect, useState } from 'react';
import { Button } from './button';

const SHOWN_MS = 1600;

interface CopyButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  /** Text to copy. A function is called on click. */
  text: string | (() => string);
  /** Text of the button; with `iconOnly`, the accessible name. */
  label: string;
  iconOnly?: boolean;
  icon?: LucideIcon;
}

export function CopyButton({
  text,
  label,
  iconOnly = false,
  icon = Copy,
  size,
  tone = 'quiet',
  ...props
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(typeof text === 'function' ? text() : text)) ? 'copied' : 'failed');
  const Icon = state === 'copied' ? Check : state === 'failed' ? X : icon;
  const said = state === 'copied' ? uiWords.copied : state === 'failed' ? uiWords.copyBlocked : '';
  return (
    <Button
      size={size ?? (iconOnly ? 'iconSm' : 'sm')}
      tone={tone}
      onClick={() => void copy()}
      {...(iconOnly ? { 'aria-label': label, title: label } : {})}
      {...props}
    >
      <Icon aria-hidden className={state === 'copied' ? 'text-good' : undefined} />
      {!iconOnly && label}
      <span role="status" className="sr-only">
        {said}
      </span>
    </Button>
  );
}

'use client';

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './class-names';

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;
export const DialogClose = Primitive.Close;

interface DialogContentProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  className?: string;
  /** Keeps the title for screen readers only. */
  hideTitle?: boolean;
}

/** A modal panel: centred on wide screens, near the top on phones, closed with Escape. */
export function DialogContent({ title, description, children, className, hideTitle = false }: DialogContentProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
      <Primitive.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={cn(
          'fixed top-[8dvh] left-1/2 z-50 grid max-h-[84dvh] w-[calc(100vw-24px)] max-w-lg -translate-x-1/2 animate-appear gap-4 overflow-auto rounded-md border border-line bg-raised p-4 shadow-overlay outline-none sm:top-[14dvh]',
          className,
        )}
      >
        <div className={hideTitle ? 'sr-only' : 'grid gap-1 pr-8'}>
          <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
          {description && <Primitive.Description className="text-sm text-dim">{description}</Primitive.Description>}
        </div>
        {children}
        {!hideTitle && (
          <Primitive.Close asChild>
            <Button tone="quiet" size="iconSm" aria-label="Close" className="absolute top-3 right-3">
              <X aria-hidden />
            </Button>
          </Primitive.Close>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

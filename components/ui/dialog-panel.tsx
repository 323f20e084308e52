'use client';

import { uiWords } from './words';
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button';
import { cn } from './class-names';
import type { OverlayState } from './overlay';

export interface DialogPanelProps {
  overlay: OverlayState;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  className?: string;
  /** Shows the title to screen readers only. */
  hideTitle?: boolean;
  /** Focuses the title first, so that the user does not press the first control by mistake. */
  focusTitle?: boolean;
  focusAfter?: () => HTMLElement | null;
}

/** Panel of an open dialog. Focus returns to the opener; if the opener is gone, the shell focuses another element. */
export function DialogPanel({
  overlay: { trigger, setOpen, panelId },
  title,
  description,
  children,
  className,
  hideTitle = false,
  focusTitle = false,
  focusAfter,
}: DialogPanelProps) {
  const [focusedBefore] = useState(() => document.activeElement);
  const titleElement = useRef<HTMLHeadingElement>(null);
  const focusTheTitle = (event: Event) => {
    event.preventDefault();
    titleElement.current?.focus();
  };
  const giveFocusBack = (event: Event) => {
    event.preventDefault();
    const back = [focusAfter?.(), trigger.current, focusedBefore].find(
      (element) => element instanceof HTMLElement && element.isConnected && element !== document.body,
    );
    if (back instanceof HTMLElement) back.focus();
  };
  return (
    <Primitive.Root open onOpenChange={setOpen}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
        <Primitive.Content
          id={panelId}
          {...(focusTitle ? { onOpenAutoFocus: focusTheTitle } : {})}
          onCloseAutoFocus={giveFocusBack}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed top-[8dvh] left-1/2 z-50 grid max-h-[84dvh] w-[calc(100vw-24px)] max-w-lg -translate-x-1/2 animate-appear gap-4 overflow-auto rounded-md border border-line bg-raised p-4 shadow-overlay outline-none sm:top-[14dvh]',
            className,
          )}
        >
          <div className={hideTitle ? 'sr-only' : 'grid gap-1 pr-8'}>
            <Primitive.Title
              ref={titleElement}
              tabIndex={focusTitle ? -1 : undefined}
              className="text-lg font-semibold outline-none"
            >
              {title}
            </Primitive.Title>
            {description && <Primitive.Description className="text-sm text-dim">{description}</Primitive.Description>}
          </div>
          {children}
          {!hideTitle && (
            <Primitive.Close asChild>
              <Button tone="quiet" size="iconSm" aria-label={uiWords.close} className="absolute top-3 right-3">
                <X aria-hidden />
              </Button>
            </Primitive.Close>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

'use client';

import { cn } from '@/components/ui/class-names';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { PAGE_LETTERS, useKeyShortcuts } from './key-shortcuts';
import { shellDialogWords } from './dialog-words';
import { type ReactNode, useId } from 'react';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';

export function ShortcutSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const id = useId();
  const { isOn, turn } = useKeyShortcuts();
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={shellDialogWords.shortcuts.title} className="max-w-xl">
        <div className="grid gap-6 sm:grid-cols-2">
          <Group title={shellDialogWords.shortcuts.anywhere}>
            <Row keys={['Ctrl', 'K']} or={['⌘', 'K']}>
              {shellDialogWords.shortcuts.search}
            </Row>
            <Row keys={['?']}>{shellDialogWords.shortcuts.sheet}</Row>
            <Row keys={['Esc']}>{shellDialogWords.shortcuts.close}</Row>
          </Group>
          <Group title={shellDialogWords.shortcuts.working}>
            <Row keys={['Ctrl', '↵']} or={['⌘', '↵']}>
              {shellDialogWords.shortcuts.send}
            </Row>
            <Row keys={['↵']}>{shellDialogWords.shortcuts.ask}</Row>
            <Row keys={['⇧', '↵']}>{shellDialogWords.shortcuts.newLine}</Row>
          </Group>
          <Group title={shellDialogWords.shortcuts.goTo} isWide>
            {Object.entries(PAGE_LETTERS).map(([letter, href]) => (
              <Row key={href} keys={['g', letter]}>
                {CONSOLE_PAGES.find((page) => page.href === href)?.title}
              </Row>
            ))}
          </Group>
        </div>
        <div className="flex items-center gap-2 border-t border-line pt-3 text-sm">
          <input
            id={id}
            type="checkbox"
            checked={isOn}
            onChange={(event) => turn(event.target.checked)}
            className="size-4"
          />
          <label htmlFor={id}>{shellDialogWords.shortcuts.turnOn}</label>
        </div>
      </DialogContent>
    </Dialog>
  );
}

function Group({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  return (
    <section className={cn('grid content-start gap-2', isWide && 'sm:col-span-2')}>
      <h3 className="text-xs text-faint">{title}</h3>
      <dl className={cn('grid gap-x-6 gap-y-1.5 text-sm', isWide && 'sm:grid-cols-2')}>{children}</dl>
    </section>
  );
}

function Row({ keys, or, children }: { keys: readonly string[]; or?: readonly string[]; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <dt className="min-w-0">{children}</dt>
      <dd className="flex shrink-0 items-center gap-1 text-dim">
        <Keys keys={keys} />
        {or !== undefined && (
          <>
            <span className="text-xs text-faint">{shellDialogWords.shortcuts.or}</span>
            <Keys keys={or} />
          </>
        )}
      </dd>
    </div>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key) => (
    <Kbd key={key} className="pointer-coarse:inline-flex">
      {key}
    </Kbd>
  ));
}

'use client';

import { onDemand } from '@/components/ui/on-demand';
import { pageElement } from '@/lib/browser/page/navigation';
import { shortcutSheet } from '@/lib/browser/page/opened';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const ShortcutSheet = onDemand(() => import('./shortcut-sheet').then((module) => module.ShortcutSheet), {
  floats: true,
});

/** Shortcuts without modifiers: `?` lists all shortcuts, `g` with a letter opens a page. */
export function KeyShortcuts() {
  const router = useRouter();
  const { isOn } = useKeyShortcuts();
  const isSheetOpen = shortcutSheet.use();
  useEffect(() => {
    const reader = new ShortcutReader();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isOn || isSpokenFor(event)) return;
      const shortcut = reader.read({ key: event.key, atMs: event.timeStamp });
      if (shortcut?.kind === 'sheet') shortcutSheet.set(true);
      if (shortcut?.kind === 'page') {
        router.push(shortcut.href);
        pageElement()?.focus({ preventScroll: true });
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn, router]);
  return isSheetOpen && <ShortcutSheet open onOpenChange={shortcutSheet.set} />;
}

const SEQUENCE_MS = 1_500;

export const PAGE_LETTERS: Readonly<Record<string, string>> = {
  o: '/',
  k: '/keys',
  t: '/top-up',
  r: '/rpc',
  c: '/chat',
  s: '/speech',
  v: '/video',
  u: '/usage',
  e: '/receipts',
  a: '/reference',
};

export type Shortcut = { kind: 'sheet' } | { kind: 'page'; href: string };

// Shortcuts can be turned off, because dictation and accidental presses trigger them (WCAG 2.1.4).
const enabledStore = createStoredValue<boolean>({
  key: 'turnpike.key-shortcuts',
  initial: true,
  parse: (stored) => (typeof stored === 'boolean' ? stored : null),
});

export function useKeyShortcuts(): { isOn: boolean; turn: (isOn: boolean) => void } {
  return { isOn: useStoredValue(enabledStore), turn: enabledStore.set };
}

/** Recognizes the key `?`, and `g` followed by a letter. Remembers when `g` was pressed. */
export class ShortcutReader {
  #goAtMs = -Infinity;

  /** @returns shortcut; null if the pressed key completes none */
  read({ key, atMs }: { key: string; atMs: number }): Shortcut | null {
    const isAfterGo = atMs - this.#goAtMs <= SEQUENCE_MS;
    this.#goAtMs = -Infinity;
    if (key === '?') return { kind: 'sheet' };
    const href = isAfterGo ? PAGE_LETTERS[key.toLowerCase()] : undefined;
    if (href !== undefined) return { kind: 'page', href };
    if (key === 'g') this.#goAtMs = atMs;
    return null;
  }
}

/** Returns whether a key event has a modifier besides Shift, or belongs to a focused field, editor, dialog or list. */
function isSpokenFor(
  event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented' | 'target'>,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return true;
  const { target } = event;
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=menu], [role=combobox]',
    ) !== null
  );
}

'use client';

import { onDemand } from '@/components/ui/on-demand';
import { isSpokenFor, ShortcutReader, useKeyShortcuts } from '@/lib/browser/key-shortcuts';
import { shortcutSheet } from '@/lib/browser/opened';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { pageElement } from './page-element';

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

'use client';

import { createStoredValue, useStoredValue } from './stored-value';

/** After `g`, so long for the letter of a page. */
const SEQUENCE_MS = 1_500;

/** The letter that goes to each page after `g`. */
export const PAGE_LETTERS: Readonly<Record<string, string>> = {
  o: '/',
  k: '/keys',
  t: '/top-up',
  r: '/rpc',
  c: '/chat',
  s: '/speech',
  v: '/video',
  u: '/usage',
  a: '/reference',
};

/** What a key on the page asks for. */
export type Shortcut = { kind: 'sheet' } | { kind: 'page'; href: string };

// Whoever dictates, or presses keys by accident, turns them off (WCAG 2.1.4).
const enabledStore = createStoredValue<boolean>({
  key: 'turnpike.key-shortcuts',
  initial: true,
  parse: (stored) => (typeof stored === 'boolean' ? stored : null),
});

/** Whether keys without Ctrl or Cmd do anything. */
export function useKeyShortcuts(): { isOn: boolean; turn: (isOn: boolean) => void } {
  return { isOn: useStoredValue(enabledStore), turn: enabledStore.set };
}

/** Reads keys as they come: `?`, and `g` with a letter. Keeps what was pressed last. */
export class ShortcutReader {
  #goAtMs = -Infinity;

  /** @returns what the key asks for; null for nothing, or nothing yet. */
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

/** Whether a key event is meant for what has the focus (a field, an editor, a dialog, a list), or comes with a modifier. */
export function isSpokenFor(
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

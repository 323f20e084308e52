'use client';

import { useHydrated } from '@/lib/browser/storage/stored-value';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type * as codeEditor from './code-editor';
import type { JsonTextEditorProps } from './code-editor';

/**
 * JSON text field. Shows a text area of the same size until the editor has loaded. Loading begins at the user's first
 * input. A focused text area stays until it loses focus, so that caret, undo and composition survive.
 */
export function JsonTextEditor(props: JsonTextEditorProps) {
  const code = useSyncExternalStore(
    subscribe,
    () => loaded,
    () => null,
  );
  const [inUse, setInUse] = useState(false);
  return code === null || inUse ? <PlainEditor {...props} onUseChange={setInUse} /> : <code.CodeEditor {...props} />;
}

let loaded: typeof codeEditor | null = null;

let isLoading = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function loadEditor(): void {
  if (loaded !== null || isLoading) return;
  isLoading = true;
  import('./code-editor')
    .then(
      (code) => {
        loaded = code;
        listeners.forEach((listener) => listener());
      },
      // If the load fails, the user's next input loads the editor again.
      () => undefined,
    )
    .finally(() => {
      isLoading = false;
    });
}

/** @returns function that removes the listeners */
function loadWithFirstAct(): () => void {
  if (navigator.userActivation.hasBeenActive) loadEditor();
  const acts = ['pointermove', 'pointerdown', 'keydown'] as const;
  let giveUp = () => {};
  const load = ({ pointerType }: Event & { pointerType?: string }) => {
    giveUp();
    if (pointerType === 'mouse') loadEditor();
    else giveUp = inQuietMoment(loadEditor);
  };
  for (const act of acts) window.addEventListener(act, load, { passive: true, capture: true });
  return () => {
    giveUp();
    acts.forEach((act) => window.removeEventListener(act, load, { capture: true }));
  };
}

function PlainEditor({
  value,
  onChange,
  label,
  describedBy,
  invalid,
  onUseChange,
}: JsonTextEditorProps & { onUseChange: (inUse: boolean) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const stay = useRef(() => {});
  const hydrated = useHydrated();
  useEffect(() => {
    const stopWaiting = loadWithFirstAct();
    return stopWaiting;
  }, []);
  useEffect(() => {
    // The user may have focused the field before hydration, when React had no listener yet.
    if (document.activeElement === field.current) onUseChange(true);
  }, [onUseChange]);
  return (
    <textarea
      ref={field}
      value={value}
      readOnly={!hydrated}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      onFocus={() => {
        stay.current();
        onUseChange(true);
      }}
      // While the window itself has no focus, the field stays `activeElement` and later regains focus.
      onBlur={(event) => {
        if (document.activeElement !== event.currentTarget) stay.current = inQuietMoment(() => onUseChange(false));
      }}
      className="figures block h-full w-full flex-1 resize-none bg-transparent py-2 pr-3 pl-11 text-sm outline-none"
    />
  );
}

/** Pause after which the user counts as having stopped typing. Longer than the time between two keystrokes. */
const QUIET_MS = 300;

/**
 * Runs heavy work after a pause in input, so that the work delays no keystroke.
 * @returns function that cancels the work
 */
export function inQuietMoment(act: () => void): () => void {
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = () => {
    clearTimeout(timer);
    listening.abort();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      giveUp();
      act();
    }, QUIET_MS);
  };
  for (const name of ['pointerdown', 'keydown'])
    window.addEventListener(name, wait, { passive: true, capture: true, signal: listening.signal });
  wait();
  return giveUp;
}

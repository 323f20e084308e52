'use client';

import { useHydrated } from '@/lib/browser/browser-store';
import { inQuietMoment } from '@/lib/browser/quiet-moment';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type * as codeEditor from './code-editor';
import type { JsonTextEditorProps } from './json-text-props';

/**
 * A JSON text. A plain text area serves until the editor has loaded, in the same place and measure. The editor, which
 * is heavier than the page, loads when somebody points at the text or goes into it; whoever types in the text area
 * keeps it until the focus leaves, so that caret, undo and a half-composed character are never taken away. Code that
 * takes so long to start, and to put on the page, does neither while somebody types or taps.
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
      // The text area does all that is needed; whoever comes to it again asks again.
      () => undefined,
    )
    .finally(() => {
      isLoading = false;
    });
}

/** Loads it with the first sign of a person. @returns how to stop listening */
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
    // It may have been focused before the page came alive, which tells no listener.
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
      // A window that goes to the back blurs its field too, but brings the focus back to it.
      onBlur={(event) => {
        if (document.activeElement !== event.currentTarget) stay.current = inQuietMoment(() => onUseChange(false));
      }}
      className="figures block h-full w-full flex-1 resize-none bg-transparent py-2 pr-3 pl-11 text-sm outline-none"
    />
  );
}

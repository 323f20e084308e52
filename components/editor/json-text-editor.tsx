'use client';

import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import type { JsonTextEditorProps } from './json-text-props';

const JsonEditor = lazy(() => import('./json-editor'));

const never = () => () => undefined;

/** A JSON text. A plain text area serves until the editor has loaded, in the same place and measure. */
export function JsonTextEditor(props: JsonTextEditorProps) {
  const isBrowser = useSyncExternalStore(never, () => true, () => false);
  const [wasFocused, setWasFocused] = useState(false);
  const plain = <PlainEditor {...props} onFocusChange={setWasFocused} />;
  if (!isBrowser) return plain;
  return (
    <Suspense fallback={plain}>
      <JsonEditor {...props} takeFocus={wasFocused} />
    </Suspense>
  );
}

function PlainEditor({ value, onChange, label, describedBy, invalid, onFocusChange }: JsonTextEditorProps & { onFocusChange: (focused: boolean) => void }) {
  return (
    <textarea
      value={value}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      onFocus={() => onFocusChange(true)}
      onBlur={() => onFocusChange(false)}
      className="figures block h-full w-full flex-1 resize-none bg-transparent py-2 pr-3 pl-11 text-sm outline-none"
    />
  );
}

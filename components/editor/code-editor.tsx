'use client';

import { useEffect, useRef } from 'react';
import { createJsonEditor } from './create-json-editor';
import type { JsonTextEditorProps } from './json-text-props';

export function CodeEditor({ value, onChange, label, describedBy, invalid, faultsOf }: JsonTextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<ReturnType<typeof createJsonEditor> | null>(null);
  const latest = useRef({ value, onChange, faultsOf });
  useEffect(() => {
    latest.current = { value, onChange, faultsOf };
  });

  useEffect(() => {
    if (host.current === null) return;
    const editor = createJsonEditor(
      host.current,
      latest.current.value,
      (text) => latest.current.onChange(text),
      (text) => latest.current.faultsOf(text),
    );
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const content = view.current?.contentDOM;
    content?.setAttribute('aria-label', label);
    content?.setAttribute('aria-describedby', describedBy);
    content?.setAttribute('aria-invalid', String(invalid));
  }, [label, describedBy, invalid]);

  return <div ref={host} className="h-full min-h-0 flex-1 overflow-auto" />;
}

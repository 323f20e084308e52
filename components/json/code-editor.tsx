'use client';

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

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

/** Creates the editor. `faultsOf` is the linter. Tab leaves the editor, as in other fields. */
function createJsonEditor(
  parent: HTMLElement,
  text: string,
  onChange: (text: string) => void,
  faultsOf: JsonTextEditorProps['faultsOf'],
): EditorView {
  return new EditorView({ parent, state: createState(text, onChange, faultsOf) });
}

function createState(
  text: string,
  onChange: (text: string) => void,
  faultsOf: (text: string) => readonly TextFault[],
): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      json(),
      syntaxHighlighting(COLOURS),
      linter(({ state }) => diagnose(state.doc.toString(), faultsOf), { delay: 250 }),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      // Focusable, so that the keyboard can scroll a long text.
      EditorView.contentAttributes.of({ tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
      LOOK,
    ],
  });
}

function diagnose(text: string, faultsOf: (text: string) => readonly TextFault[]): Diagnostic[] {
  return faultsOf(text).map(({ sentence, offset }) => {
    const from = Math.min(offset ?? 0, text.length);
    const to = offset === null ? text.length : Math.min(from + 1, text.length);
    return { from, to, severity: 'error', message: sentence };
  });
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--color-ink)' },
  { tag: tags.string, color: 'var(--color-string)' },
  { tag: tags.number, color: 'var(--color-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--color-word)' },
  { tag: tags.punctuation, color: 'var(--color-faint)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.25rem' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0 12px 0 4px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--color-faint)', minWidth: '40px' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 0', minWidth: '40px' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--color-selection) !important',
  },
  '.cm-matchingBracket': {
    backgroundColor: 'var(--color-amber-soft) !important',
    outline: '1px solid var(--color-amber-line)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    border: '1px solid var(--color-line)',
    borderRadius: '6px',
    color: 'var(--color-ink)',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--color-bad)' },
});

export interface JsonTextEditorProps {
  value: string;
  onChange: (text: string) => void;
  label: string;
  describedBy: string;
  invalid: boolean;
  faultsOf: (text: string) => readonly TextFault[];
}

/** Fault in a text and its offset from 0; a null offset means the whole text. */
export interface TextFault {
  sentence: string;
  offset: number | null;
}

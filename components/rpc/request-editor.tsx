'use client';

import { JsonTextEditor } from '@/components/editor/json-text-editor';
import type { JsonTextEditorProps, TextFault } from '@/components/editor/json-text-props';
import { checkRequest } from '@/lib/browser/rpc/request-text';

/** Editor for the request text. Marks the faults that prevent sending. */
export function RequestEditor(props: Omit<JsonTextEditorProps, 'faultsOf'>) {
  return <JsonTextEditor {...props} faultsOf={faultsOf} />;
}

function faultsOf(text: string): TextFault[] {
  const check = checkRequest(text);
  return check.ok ? [] : [check.problem];
}

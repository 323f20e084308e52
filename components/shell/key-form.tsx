'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { enterKey } from '@/lib/browser/credential';
import type { CallCredential } from '@/lib/client';
import { isSendableKey } from '@/lib/browser/secret';
import { type FormEvent, useId, useState } from 'react';

/** Takes an API key of the person's own, for this tab or for this browser. */
export function KeyForm({ onDone }: { onDone: (presented: CallCredential) => void }) {
  const id = useId();
  const [apiKey, setApiKey] = useState('');
  const [remember, setRemember] = useState(false);
  const [showProblem, setShowProblem] = useState(false);
  const problem = apiKey === '' ? 'Paste a key first.' : isSendableKey(apiKey) ? null : 'A key is 8 to 512 visible characters without spaces.';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(problem !== null);
    if (problem !== null) return;
    enterKey({ apiKey, remember });
    onDone({ kind: 'apiKey', apiKey });
  };
  return (
    <form onSubmit={submit} className="grid gap-3 border-t border-line pt-4" noValidate>
      <Field label="Use another API key" htmlFor={id} message={showProblem ? problem : null}>
        <Input
          id={id}
          type="password"
          value={apiKey}
          placeholder="Paste an API key"
          className="figures"
          autoComplete="off"
          data-1p-ignore
          aria-invalid={showProblem && problem !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => setApiKey(event.target.value.trim())}
        />
      </Field>
      <label className="flex items-center gap-2 text-sm text-dim">
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} className="size-4 accent-(--color-amber-ink)" />
        Remember it in this browser, not only in this tab
      </label>
      <Button type="submit" className="justify-self-start">
        Use this key
      </Button>
    </form>
  );
}

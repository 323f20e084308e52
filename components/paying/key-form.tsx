'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { enterKey } from '@/lib/browser/credential';
import type { CallCredential } from '@/lib/client';
import { isSendableKey } from '@/lib/browser/secret';
import { payingWords } from '@/lib/browser/words/paying';
import { type FormEvent, useId, useState } from 'react';

/** Takes an API key of the person's own, until the last tab of this browser closes or for good. */
export function KeyForm({ onDone }: { onDone: (presented: CallCredential) => void }) {
  const id = useId();
  const [apiKey, setApiKey] = useState('');
  const [remember, setRemember] = useState(false);
  const [showProblem, setShowProblem] = useState(false);
  const problem = apiKey === '' ? payingWords.otherKey.empty : isSendableKey(apiKey) ? null : payingWords.otherKey.malformed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(problem !== null);
    if (problem !== null) return;
    enterKey({ apiKey, remember });
    onDone({ kind: 'apiKey', apiKey });
  };
  return (
    <form onSubmit={submit} className="grid gap-3 border-t border-line pt-4" noValidate>
      <Field label={payingWords.otherKey.label} htmlFor={id} message={showProblem ? problem : null}>
        <Input
          id={id}
          type="password"
          value={apiKey}
          placeholder={payingWords.otherKey.placeholder}
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
        {payingWords.otherKey.remember}
      </label>
      <Button type="submit" className="justify-self-start">
        {payingWords.otherKey.use}
      </Button>
    </form>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { readRequestId } from '@/lib/browser/billing/usage-view';
import { usageWords } from '@/lib/browser/words/usage';
import { Search } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

const words = usageWords.find;

/** Finds a charge by the request id in an answer's header. */
export function FindRequest({ request, onFind }: { request: string; onFind: (request: string) => void }) {
  const id = useId();
  const [text, setText] = useState(request);
  const [isRefused, setIsRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = readRequestId(text);
    setIsRefused(found === null);
    if (found !== null) onFind(found);
  };
  return (
    <form onSubmit={submit} noValidate role="search" className="w-full max-w-88">
      <Field label={words.label} hint={words.hint} htmlFor={id} message={isRefused ? words.notAnId : null}>
        <div className="flex gap-2">
          <Input
            id={id}
            value={text}
            className="figures"
            aria-invalid={isRefused}
            aria-describedby={`${id}-message`}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit">
            <Search aria-hidden />
            {words.button}
          </Button>
        </div>
      </Field>
    </form>
  );
}

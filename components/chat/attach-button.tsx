'use client';

import { Button } from '@/components/ui/button';
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';

/** What a picker shows first; anything else is refused with a sentence where it is no text. */
const ACCEPTED =
  'text/*,application/json,application/xml,.md,.csv,.tsv,.log,.json,.yaml,.yml,.toml,.ini,.xml,.html,.css,.js,.ts,.tsx,.py,.go,.rs,.sol,.java,.c,.h,.cpp,.sh,.sql';

/** Has a person choose text files. */
export function AttachButton({ label, onFiles }: { label: string; onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button tone="quiet" size="icon" aria-label={label} title={label} onClick={() => input.current?.click()}>
        <Paperclip aria-hidden />
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        data-testid="attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';

/** File types that a file picker shows first. Other files are accepted if they are text. */
const ACCEPTED =
  'text/*,application/json,application/xml,.md,.csv,.tsv,.log,.json,.yaml,.yml,.toml,.ini,.xml,.html,.css,.js,.ts,.tsx,.py,.go,.rs,.sol,.java,.c,.h,.cpp,.sh,.sql';

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
          // Clears the field, because choosing the same file again would otherwise cause no change event.
          event.target.value = '';
        }}
      />
    </>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { isIdempotencyKey, renewIdempotencyKey } from '@/lib/browser/rpc/idempotency-key';
import { editDraft } from '@/lib/browser/rpc/rpc-draft';
import { RefreshCw, X } from 'lucide-react';
import { useId } from 'react';
import { rpcIdempotencyWords as words } from './tool-words';
import { rpcWords } from './words';

/**
 * Field for the Idempotency-Key. If the same request repeats a key, the gateway answers from its cache and charges
 * nothing.
 */
export function IdempotencyField({ panel, value }: { panel: string; value: string }) {
  const id = useId();
  const isValid = value === '' || isIdempotencyKey(value);
  return (
    <div id={panel} className="px-3 pb-2 lg:px-4">
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="shrink-0 text-xs text-dim" title={words.meaning}>
          {rpcWords.idempotency.label}
        </label>
        <Input
          id={id}
          value={value}
          placeholder={words.none}
          className="figures h-7 flex-1 text-xs"
          aria-invalid={!isValid}
          aria-describedby={`${id}-problem`}
          onChange={(event) => editDraft({ idempotencyKey: event.target.value.trim() })}
        />
        {value !== '' && (
          <Button
            tone="quiet"
            size="iconSm"
            aria-label={words.remove}
            onClick={() => editDraft({ idempotencyKey: '' })}
          >
            <X aria-hidden />
          </Button>
        )}
        <Button tone="quiet" size="sm" onClick={renewIdempotencyKey}>
          <RefreshCw aria-hidden />
          {value === '' ? words.make : words.renew}
        </Button>
      </div>
      <p id={`${id}-problem`} className="text-xs text-bad empty:hidden">
        {isValid ? '' : rpcWords.status.badIdempotencyKey}
      </p>
    </div>
  );
}

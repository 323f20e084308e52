'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { isIdempotencyKey, renewIdempotencyKey } from '@/lib/browser/rpc/idempotency-key';
import { editDraft } from '@/lib/browser/rpc/rpc-draft';
import { ChevronDown, RefreshCw, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { rpcWords } from './words';

const words = rpcWords.idempotency;

/** Shows the request's status, and a field for the Idempotency-Key that opens on request and with each new key. */
export function RequestOptions({ idempotencyKey, children }: { idempotencyKey: string; children: ReactNode }) {
  const panel = useId();
  const [isAsked, setIsAsked] = useState(false);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const isOpen = isAsked || (idempotencyKey !== '' && closedFor !== idempotencyKey);
  return (
    <div className="shrink-0 border-t border-line">
      <div className="flex items-start justify-between gap-2 pr-2 lg:pr-3">
        {children}
        <Button
          tone="quiet"
          size="sm"
          className="my-1 gap-1 aria-expanded:bg-transparent aria-expanded:[&>svg]:rotate-180"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => {
            setIsAsked(!isOpen);
            setClosedFor(isOpen ? idempotencyKey : null);
          }}
        >
          {idempotencyKey === '' || isOpen ? words.options : words.label}
          <ChevronDown aria-hidden />
        </Button>
      </div>
      {isOpen && <IdempotencyField panel={panel} value={idempotencyKey} />}
    </div>
  );
}

function IdempotencyField({ panel, value }: { panel: string; value: string }) {
  const id = useId();
  const isValid = value === '' || isIdempotencyKey(value);
  return (
    <div id={panel} className="px-3 pb-2 lg:px-4">
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="shrink-0 text-xs text-dim" title={words.meaning}>
          {words.label}
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

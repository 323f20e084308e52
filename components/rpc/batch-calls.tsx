'use client';

import { Button } from '@/components/ui/button';
import type { JsonNode } from '@/lib/browser/text/json-document';
import { removeCall } from './request-edits';
import type { RequestCall } from './request-text';
import type { Network } from '@/lib/protocol/networks';
import { creditsOf } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { rpcBatchWords as words } from './tool-words';
import { X } from 'lucide-react';

export function BatchCalls({
  calls,
  document,
  network,
  onEdit,
}: {
  calls: readonly RequestCall[];
  document: JsonNode;
  network: Network | null;
  onEdit: (text: string) => void;
}) {
  return (
    <ol aria-label={words.list} className="max-h-48 shrink-0 divide-y divide-line overflow-auto border-b border-line">
      {calls.map((call, index) => (
        <li key={index} className="flex h-9 items-center gap-3 px-3 text-sm lg:px-4">
          <span className="figures w-6 text-right text-xs text-faint">{index + 1}</span>
          <span className="figures min-w-0 flex-1 truncate">{call.method}</span>
          <span className="figures text-xs text-dim">{priceOf(call.method, network)}</span>
          <Button
            tone="quiet"
            size="iconSm"
            disabled={calls.length === 1}
            aria-label={words.remove(index + 1, call.method)}
            onClick={() => onEdit(removeCall(document, index))}
          >
            <X aria-hidden />
          </Button>
        </li>
      ))}
    </ol>
  );
}

function priceOf(name: string, network: Network | null): string {
  if (network === null) return '';
  const method = lookUpMethod(name);
  return isRefusal(method) || method.kind !== network.kind ? words.refused : words.credits(creditsOf(network, method));
}

'use client';

import { Notice } from '@/components/ui/notice';
import { readTree } from '@/lib/browser/json-document';
import { formatBytes } from '@/lib/browser/amounts';
import type { RpcAnswer, RpcItem } from '@/lib/client';
import { ERROR_CREDITS } from '@/lib/protocol/pricing';
import { useMemo } from 'react';
import { JsonTree } from './json-tree';

/** The JSON-RPC items of an answer: errors in words first, then everything as a tree. */
export function AnswerItems({ answer, methods }: { answer: RpcAnswer; methods: readonly string[] }) {
  const document = useMemo(() => readTree(answer.bodyText), [answer.bodyText]);
  return (
    <div className="grid gap-3">
      {answer.items.map((item, index) => item.error && <RpcErrorNotice key={index} item={item} place={answer.isBatch ? index + 1 : null} method={methods[index] ?? ''} />)}
      {answer.replayed && (
        <Notice tone="info" title="Served again from the idempotency cache, uncharged.">
          The same key and body within 24 hours get the stored answer; the node was not asked.
        </Notice>
      )}
      {document === null ? (
        <p className="text-sm text-dim">This answer has {formatBytes(answer.bodyText.length)}, too much for a tree. The raw view shows its beginning, and copying takes all of it.</p>
      ) : (
        <JsonTree node={document} />
      )}
    </div>
  );
}

function RpcErrorNotice({ item, place, method }: { item: RpcItem; place: number | null; method: string }) {
  return (
    <Notice tone="bad" title={item.error?.message}>
      <p>
        {place === null ? 'The node' : `Call ${place}: the node`} answered {method} with JSON-RPC error <span className="figures">{item.error?.code}</span>. Such a call is billed {ERROR_CREDITS} credits instead of its price. {adviceFor(item.error?.code)}
      </p>
    </Notice>
  );
}

/** What the codes of JSON-RPC 2.0 (section 5.1) and EIP-1474 ask for. */
function adviceFor(code: number | undefined): string {
  if (code === -32602) return 'Check the parameters.';
  if (code === -32601) return 'Nodes of this network do not know the method; try another network.';
  if (code === 3) return 'The contract reverted; its reason is in the data.';
  if (code === -32000 || code === -32603) return 'Check the parameters against the state of the chain.';
  return '';
}

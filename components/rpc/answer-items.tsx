'use client';

import { Notice } from '@/components/ui/notice';
import { readTree } from '@/lib/browser/json-document';
import { formatBytes } from '@/lib/browser/amounts';
import type { RpcAnswer, RpcItem, RpcItemError } from '@/lib/client';
import { ERROR_CREDITS } from '@/lib/protocol/pricing';
import { useMemo } from 'react';
import { JsonTree } from './json-tree';

/** The JSON-RPC items of an answer: errors in words first, then everything as a tree. */
export function AnswerItems({ answer, methods }: { answer: RpcAnswer; methods: readonly string[] }) {
  const document = useMemo(() => readTree(answer.bodyText), [answer.bodyText]);
  return (
    <div className="grid gap-3">
      {answer.isBatch ? <BatchErrors items={answer.items} methods={methods} /> : answer.items[0]?.error && <RpcErrorNotice error={answer.items[0].error} method={methods[0] ?? ''} />}
      {answer.replayed && (
        <Notice tone="info" title="Served again from the idempotency cache, uncharged.">
          The same key and body within 24 hours get the stored answer; the node was not asked.
        </Notice>
      )}
      {answer.unkept && (
        <Notice tone="warn" title="Charged and shown, but not kept under its Idempotency-Key.">
          The answer is too large to be kept, or there is no room for it. Copy it if you need it: for 24 hours the same call under this key is refused, uncharged, with IDEMPOTENT_ANSWER_NOT_KEPT. To make it again, at its price, send it under a new key.
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

function RpcErrorNotice({ error, method }: { error: RpcItemError; method: string }) {
  return (
    <Notice tone="bad" title={error.message}>
      <p>
        The node answered {method} with JSON-RPC error <span className="figures">{error.code}</span>. Such a call is billed {ERROR_CREDITS} credits instead of its price. {adviceFor(error.code)}
      </p>
    </Notice>
  );
}

/** The errors of a batch in one place, however many they are. */
function BatchErrors({ items, methods }: { items: readonly RpcItem[]; methods: readonly string[] }) {
  const failed = items.flatMap(({ error }, index) => (error ? [{ error, place: index + 1, method: methods[index] ?? '' }] : []));
  if (failed.length === 0) return null;
  return (
    <Notice tone="bad" title={`${failed.length} of ${items.length} calls ended in a JSON-RPC error.`}>
      <p>Each of them is billed {ERROR_CREDITS} credits instead of its price; the others are not affected.</p>
      <ul tabIndex={0} aria-label="Errors of the batch" className="grid max-h-48 gap-1 overflow-auto">
        {failed.map(({ error, place, method }) => (
          <li key={place}>
            <span className="figures">
              {place} {method} {error.code}:
            </span>{' '}
            {error.message} {adviceFor(error.code)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What the codes of JSON-RPC 2.0 (section 5.1) and EIP-1474 ask for. */
function adviceFor(code: number): string {
  if (code === -32602) return 'Check the parameters.';
  if (code === -32601) return 'Nodes of this network do not know the method; try another network.';
  if (code === 3) return 'The contract reverted; its reason is in the data.';
  if (code === -32000 || code === -32603) return 'Check the parameters against the state of the chain.';
  return '';
}

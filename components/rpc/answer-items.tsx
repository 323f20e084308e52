'use client';

import { Notice } from '@/components/ui/notice';
import { readTree } from '@/lib/browser/json-document';
import { formatBytes } from '@/lib/browser/byte-counts';
import { describeNetwork } from '@/lib/browser/networks';
import { answerInWords } from '@/lib/browser/rpc/decoding/answer-in-words';
import type { SentRequest } from '@/lib/browser/rpc/rpc-call-state';
import type { RpcAnswer, RpcItem, RpcItemError } from '@/lib/client';
import { ERROR_CREDITS } from '@/lib/protocol/pricing';
import { rpcAnswerWords as words } from '@/lib/browser/words/rpc-tools';
import { useMemo } from 'react';
import { ContractAnswers } from './contract/contract-answers';
import { JsonTree } from './json-tree';

/** Shows the JSON-RPC items of an answer: errors as text first, then all items as a tree. */
export function AnswerItems({ answer, request }: { answer: RpcAnswer; request: SentRequest }) {
  const methods = request.calls.map(({ method }) => method);
  const symbol = describeNetwork(request.network)?.nativeSymbol ?? 'ETH';
  const reading = readingOf(answer, methods[0], symbol);
  const document = useMemo(() => readTree(answer.bodyText), [answer.bodyText]);
  return (
    <div className="grid gap-3">
      {answer.isBatch ? (
        <BatchErrors items={answer.items} methods={methods} />
      ) : (
        answer.items[0]?.error && (
          <RpcErrorNotice
            error={answer.items[0].error}
            method={methods[0] ?? ''}
            isFree={answer.credits === 0 && !answer.replayed}
          />
        )
      )}
      {answer.replayed && (
        <Notice tone="info" title={words.replayedTitle}>
          {words.replayed}
        </Notice>
      )}
      {answer.unkept && (
        <Notice tone="warn" title={words.notKeptTitle}>
          {words.notKept}
        </Notice>
      )}
      {reading !== null && <p className="figures text-xl font-medium wrap-anywhere">{reading}</p>}
      <ContractAnswers answer={answer} request={request} />
      {document === null ? (
        <p className="text-sm text-dim">{words.tooLarge(formatBytes(answer.bodyText.length))}</p>
      ) : (
        <JsonTree node={document} symbol={symbol} methods={methods} />
      )}
    </div>
  );
}

function readingOf({ isBatch, items }: RpcAnswer, method: string | undefined, symbol: string): string | null {
  const [item] = items;
  if (isBatch || method === undefined || item === undefined || item.error !== undefined) return null;
  return answerInWords(method, item.result, symbol);
}

/** Shows an error of a node or of the gateway. A gateway's error is free, because the gateway asked no node. */
function RpcErrorNotice({ error, method, isFree }: { error: RpcItemError; method: string; isFree: boolean }) {
  return (
    <Notice tone="bad" title={error.message}>
      <p>
        {isFree ? words.gatewayAnswered(method) : words.nodeAnswered(method)}{' '}
        <span className="figures">{error.code}</span>.{' '}
        {isFree ? words.noPrice : `${words.errorPrice(ERROR_CREDITS)} ${adviceFor(error.code)}`}
      </p>
    </Notice>
  );
}

function BatchErrors({ items, methods }: { items: readonly RpcItem[]; methods: readonly string[] }) {
  const failed = items.flatMap(({ error }, index) =>
    error ? [{ error, place: index + 1, method: methods[index] ?? '' }] : [],
  );
  if (failed.length === 0) return null;
  return (
    <Notice tone="bad" title={words.batchErrors(failed.length, items.length)}>
      <p>{words.batchPrice(ERROR_CREDITS)}</p>
      <ul tabIndex={0} aria-label={words.batchList} className="grid max-h-48 gap-1 overflow-auto">
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

/** Returns advice for the codes of JSON-RPC 2.0 (section 5.1) and EIP-1474. */
function adviceFor(code: number): string {
  if (code === -32602) return words.advice.parameters;
  if (code === -32601) return words.advice.method;
  if (code === 3) return words.advice.revert;
  if (code === -32000 || code === -32603) return words.advice.state;
  return '';
}

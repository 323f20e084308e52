'use client';

import { JsonTree } from '@/components/json/json-tree';
import { readQuantity, scaled, summarizeQuantity } from '@/components/json/summarize-quantity';
import { rpcAnswerWords as words } from '@/components/json/words';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { describeNetwork } from '@/lib/browser/reads/networks';
import { formatBytes, formatCount } from '@/lib/browser/text/amounts';
import { readTree } from '@/lib/browser/text/json-document';
import { formatDateTime } from '@/lib/browser/text/moments';
import type { RpcAnswer, RpcItem, RpcItemError } from '@/lib/client';
import { ERROR_CREDITS } from '@/lib/protocol/pricing';
import { useMemo } from 'react';
import { useContractAbis } from './contract/contract-draft';
import type { SentRequest } from './perform-call';
import type { RequestCall } from './request-text';
import { rpcReadingWords } from './tool-words';

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

/** Shows an error. An error from the gateway itself is free, because no node handled the call. */
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

function adviceFor(code: number): string {
  if (code === -32602) return words.advice.parameters;
  if (code === -32601) return words.advice.method;
  if (code === 3) return words.advice.revert;
  if (code === -32000 || code === -32603) return words.advice.state;
  return '';
}

const AbiAnswer = onDemand(() => import('./contract/abi-answer').then((module) => module.AbiAnswer));

function ContractAnswers({ answer, request }: { answer: RpcAnswer; request: SentRequest }) {
  const abis = useContractAbis();
  return request.calls.map((call, index) => {
    const target = contractCallOf(call);
    const abi = target === null ? undefined : abis[target.to.toLowerCase()];
    const item = answer.items[index];
    return target === null || abi === undefined || item === undefined ? null : (
      <AbiAnswer key={index} abi={abi} to={target.to} data={target.data} item={item} />
    );
  });
}

/** Returns contract and data of an `eth_call`; null for other calls. */
export function contractCallOf({
  method,
  params,
}: Pick<RequestCall, 'method' | 'params'>): { to: string; data: string } | null {
  const transaction = params[0];
  if (method !== 'eth_call' || transaction?.kind !== 'object') return null;
  const textOf = (name: string) => {
    const node = transaction.members.findLast(([key]) => key === name)?.[1];
    return node?.kind === 'string' ? node.value : null;
  };
  const to = textOf('to');
  const data = textOf('input') ?? textOf('data');
  return to === null || data === null ? null : { to, data };
}

const MILLISECONDS = 1000;
const LAMPORT_DECIMALS = 9;

/**
 * Returns one line that says what a result means, such as "Block 21,204,511" or "10,000 ETH"; null if the line would
 * add nothing. `result` comes from a node and can have any shape.
 * @param symbol symbol of the chain's currency
 */
export function answerInWords(method: string, result: unknown, symbol: string): string | null {
  if (result === null) return method.startsWith('eth_get') ? rpcReadingWords.nothing : null;
  const reader = READERS.get(method);
  if (reader !== undefined) return reader(result, symbol);
  if (typeof result !== 'string') return null;
  const quantity = summarizeQuantity(result, { name: 'result', method, symbol });
  if (quantity === null) return null;
  return quantity.wei === null ? rpcReadingWords.equals(result, quantity.text) : quantity.text;
}

type Reader = (result: unknown, symbol: string) => string | null;

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    eth_blockNumber: (result) => whenCounted(result, rpcReadingWords.block),
    eth_getBlockByNumber: describeBlock,
    eth_getBlockByHash: describeBlock,
    eth_getTransactionCount: (result) => whenCounted(result, rpcReadingWords.transactionsSent),
    eth_getBlockTransactionCountByNumber: (result) => whenCounted(result, rpcReadingWords.transactions),
    eth_getBlockTransactionCountByHash: (result) => whenCounted(result, rpcReadingWords.transactions),
    eth_estimateGas: (result) => whenCounted(result, rpcReadingWords.gas),
    eth_getLogs: (result) => (Array.isArray(result) ? rpcReadingWords.logs(formatCount(result.length)) : null),
    eth_getCode: (result) => (typeof result === 'string' ? describeCode(result) : null),
    eth_getTransactionReceipt: describeReceipt,
    eth_syncing: (result) => (result === false ? rpcReadingWords.inSync : null),
    getSlot: (result) => whenCounted(result, rpcReadingWords.slot),
    getBlockHeight: (result) => whenCounted(result, rpcReadingWords.block),
    getBalance: (result, symbol) => {
      const lamports = memberOf(result, 'value');
      return Number.isSafeInteger(lamports)
        ? `${scaled(BigInt(lamports as number), LAMPORT_DECIMALS)} ${symbol}`
        : null;
    },
  }),
);

function describeBlock(result: unknown): string | null {
  const number = countOf(memberOf(result, 'number'));
  if (number === null) return null;
  const transactions = memberOf(result, 'transactions');
  const seconds = Number(memberOf(result, 'timestamp'));
  return [
    rpcReadingWords.block(number),
    ...(Array.isArray(transactions) ? [rpcReadingWords.transactions(formatCount(transactions.length))] : []),
    ...(Number.isSafeInteger(seconds * MILLISECONDS) && seconds > 0 ? [formatDateTime(seconds * MILLISECONDS)] : []),
  ].join(' · ');
}

function describeReceipt(result: unknown): string | null {
  const block = countOf(memberOf(result, 'blockNumber'));
  const status = memberOf(result, 'status');
  if (block === null || (status !== '0x0' && status !== '0x1')) return null;
  return status === '0x1' ? rpcReadingWords.succeeded(block) : rpcReadingWords.failed(block);
}

function describeCode(code: string): string | null {
  if (code === '0x') return rpcReadingWords.noContract;
  return /^0x(?:[0-9a-f]{2})+$/i.test(code) ? rpcReadingWords.contract(formatCount(code.length / 2 - 1)) : null;
}

function whenCounted(result: unknown, say: (count: string) => string): string | null {
  const count = countOf(result);
  return count === null ? null : say(count);
}

function countOf(value: unknown): string | null {
  if (typeof value === 'string') return readQuantity(value);
  return Number.isSafeInteger(value) && (value as number) >= 0 ? formatCount(value as number) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

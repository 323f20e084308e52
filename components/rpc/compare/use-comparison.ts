'use client';

import { connectionNow, lookNow } from '@/lib/browser/connection/connection';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import type { CallCredential } from '@/lib/client';
import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, type NanoUsd } from '@/lib/protocol/pricing';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { useCallback, useEffect, useRef, useState } from 'react';
import { performCall, type RpcCallState, type SentRequest } from '../perform-call';
import { quoteRequest } from '../request-quote';
import { rpcQuoteWords } from '../tool-words';
import { formatJson, type JsonNode, readTree } from '@/lib/browser/text/json-document';

const PARALLEL_MAX = 4;

export type ComparedCall = { network: string } & (
  | Exclude<RpcCallState, { status: 'idle' }>
  | { status: 'waiting'; request: SentRequest }
);

export interface Comparison {
  /** Calls in the order of the networks; empty before the first start. */
  calls: readonly ComparedCall[];
  isRunning: boolean;
  start: (requests: readonly SentRequest[]) => void;
  retry: (network: string, credential?: CallCredential | null) => void;
  cancel: () => void;
}

/** Compares one request across networks. Unmounting cancels running calls. */
export function useComparison(): Comparison {
  const [calls, setCalls] = useState<readonly ComparedCall[]>([]);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const perform = useCallback(async (request: SentRequest, controller: AbortController) => {
    const put = (state: Exclude<RpcCallState, { status: 'idle' }>) => {
      if (running.current === controller)
        setCalls((before) =>
          before.map((call) => (call.network === request.network ? { network: request.network, ...state } : call)),
        );
    };
    put({ status: 'sending', request });
    const ended = await performCall(request, controller.signal);
    put(ended);
    return ended;
  }, []);

  const start = useCallback(
    (requests: readonly SentRequest[]) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setCalls(requests.map((request) => ({ network: request.network, status: 'waiting', request })));
      const queue = [...requests];
      const giveUpOn = (error: Error) => {
        const left = new Set(queue.splice(0));
        setCalls((before) =>
          before.map((call) =>
            left.has(call.request) ? { network: call.network, status: 'failed', request: call.request, error } : call,
          ),
        );
      };
      const work = async () => {
        for (
          let request = queue.shift();
          request !== undefined && running.current === controller;
          request = queue.shift()
        ) {
          const ended = await perform(request, controller);
          // If the gateway is unreachable, all unsent calls fail with the same error.
          if (ended.status === 'failed' && !controller.signal.aborted && (await isAway(ended.error)))
            giveUpOn(ended.error);
        }
      };
      for (let worker = 0; worker < PARALLEL_MAX; worker++) void work();
    },
    [perform],
  );

  const retry = (network: string, credential?: CallCredential | null) => {
    const call = calls.find((each) => each.network === network);
    if (call === undefined) return;
    if (running.current === null || running.current.signal.aborted) running.current = new AbortController();
    void perform({ ...call.request, ...(credential === undefined ? {} : { credential }) }, running.current);
  };
  const cancel = useCallback(() => running.current?.abort(), []);
  return {
    calls,
    isRunning: calls.some(({ status }) => status === 'waiting' || status === 'sending'),
    start,
    retry,
    cancel,
  };
}

async function isAway(error: Error): Promise<boolean> {
  if (classifyFailure(error).kind !== 'unreachable') return false;
  await lookNow();
  const { state } = connectionNow();
  return state === 'offline' || state === 'unanswered';
}

/**
 * Price of a request to several networks if every call succeeds, or the reason why the page does not send the request.
 */
export type ComparisonQuote =
  | { kind: 'price'; credits: number; costNanoUsd: NanoUsd; creditsBySlug: ReadonlyMap<string, number> }
  | { kind: 'refused'; sentence: string };

/**
 * Prices the methods on every network. Refuses methods that send transactions, because a transaction must be sent only
 * once and to one network.
 */
export function quoteComparison(
  networks: readonly Network[],
  methodNames: readonly string[],
  pricePerCreditNanoUsd: NanoUsd,
): ComparisonQuote {
  const sends = methodNames.filter((name) => {
    const method = lookUpMethod(name);
    return !isRefusal(method) && method.sends;
  });
  if (sends.length > 0) return { kind: 'refused', sentence: rpcQuoteWords.sends([...new Set(sends)]) };
  const creditsBySlug = new Map<string, number>();
  let credits = 0;
  for (const network of networks) {
    const quote = quoteRequest(network, methodNames, pricePerCreditNanoUsd);
    if (quote.kind === 'refused') return quote;
    creditsBySlug.set(network.slug, quote.credits);
    credits += quote.credits;
  }
  return { kind: 'price', credits, costNanoUsd: costNanoUsd(credits, pricePerCreditNanoUsd), creditsBySlug };
}

/** Path that occurs in at least one answer, and its value in each answer. */
export interface ComparedField {
  path: string;
  cells: readonly ComparedCell[];
  differs: boolean;
}

export interface ComparedCell {
  /** JSON text with numbers as written; null if this answer lacks the path. */
  text: string | null;
  /** True if the value differs from the majority, or if there is no majority. */
  isOdd: boolean;
}

const FIELDS_MAX = 5_000;
/** Depth beyond which a container counts as one value. */
const DEPTH_MAX = 8;

/**
 * Compares JSON-RPC answers to the same request, path by path in order of first occurrence. Leaves out `jsonrpc` and
 * `id`, which do not depend on the network.
 * @param bodyTexts answers' bodies as received; a body that is too deep or too large counts as one value
 */
export function compareAnswers(bodyTexts: readonly string[]): readonly ComparedField[] {
  const answers = bodyTexts.map(readFields);
  const paths = new Set(answers.flatMap((fields) => [...fields.keys()]));
  return [...paths].map((path) =>
    compareField(
      path,
      answers.map((fields) => fields.get(path) ?? null),
    ),
  );
}

/** Returns the last member name of a path (null for a list item), and the index of the answer in a batch. */
export function placeOf(path: string): { name: string | null; item: number } {
  return { name: /(?:^|\.)([^.[\]]+)$/.exec(path)?.[1] ?? null, item: Number(/^\[(\d+)\]/.exec(path)?.[1] ?? 0) };
}

function compareField(path: string, texts: readonly (string | null)[]): ComparedField {
  const counts = new Map<string | null, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const majority = [...counts].find(([, count]) => count * 2 > texts.length);
  const differs = counts.size > 1;
  return {
    path,
    differs,
    cells: texts.map((text) => ({ text, isOdd: differs && (majority === undefined || text !== majority[0]) })),
  };
}

function readFields(bodyText: string): Map<string, string> {
  const fields = new Map<string, string>();
  const document = readTree(bodyText);
  if (document === null) return fields.set('answer', bodyText);
  if (document.kind === 'array') document.items.forEach((item, index) => readItem(item, `[${index}].`, fields));
  else readItem(document, '', fields);
  return fields;
}

function readItem(item: JsonNode, prefix: string, fields: Map<string, string>): void {
  if (item.kind !== 'object') return collect(item, `${prefix}result`, 0, fields);
  for (const [key, value] of item.members)
    if (key !== 'jsonrpc' && key !== 'id') collect(value, prefix + key, 0, fields);
}

function collect(node: JsonNode, path: string, depth: number, fields: Map<string, string>): void {
  if (fields.size >= FIELDS_MAX) return;
  if (depth < DEPTH_MAX && node.kind === 'object' && node.members.length > 0) {
    for (const [key, value] of node.members) collect(value, `${path}.${key}`, depth + 1, fields);
  } else if (depth < DEPTH_MAX && node.kind === 'array' && node.items.length > 0) {
    node.items.forEach((value, index) => collect(value, `${path}[${index}]`, depth + 1, fields));
  } else {
    fields.set(path, formatJson(node, { widthColumns: Infinity }));
  }
}

'use client';

import { type CallCredential, type RpcAnswer, UnreachableError } from '@/lib/client';
import { useSyncExternalStore } from 'react';
import { noteCharge } from './billing/last-charge';
import { classifyFailure } from './call-failure';
import { type CallOutcome, rememberCall } from './call-history';
import { gatewayClient } from './gateway-client';
import type { RequestCall } from './request-text';

/** A request as it is sent. */
export interface SentRequest {
  network: string;
  text: string;
  calls: readonly RequestCall[];
  credential: CallCredential | null;
  idempotencyKey: string | null;
}

/** How the last call stands. */
export type RpcCallState =
  | { status: 'idle' }
  | { status: 'sending'; request: SentRequest }
  | { status: 'answered'; request: SentRequest; answer: RpcAnswer }
  | { status: 'failed'; request: SentRequest; error: Error };

let current: RpcCallState = { status: 'idle' };
let running: AbortController | null = null;
const listeners = new Set<() => void>();
const IDLE: RpcCallState = { status: 'idle' };

/** Sends requests of the RPC page, one at a time, and writes them into the history. What came of the last one stays while another page is shown. */
export function useRpcCall(): { state: RpcCallState; send: (request: SentRequest) => Promise<void>; cancel: () => void } {
  const state = useSyncExternalStore(subscribe, () => current, () => IDLE);
  return { state, send, cancel };
}

async function send(request: SentRequest): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  change({ status: 'sending', request });
  const next = await performCall(request, controller.signal);
  if (running !== controller) return;
  running = null;
  change(next);
}

function cancel(): void {
  running?.abort();
}

function change(next: RpcCallState): void {
  current = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sends one request and writes it into the history, unless it was cancelled. Never rejects: a failure is a state. */
export async function performCall(request: SentRequest, signal: AbortSignal): Promise<Extract<RpcCallState, { status: 'answered' | 'failed' }>> {
  const sentAtMs = Date.now();
  const idempotencyKey = request.idempotencyKey;
  try {
    const answer = await gatewayClient(request.credential).rpc(request.network, request.text, { signal, ...(idempotencyKey === null ? {} : { idempotencyKey }) });
    const outcome: CallOutcome = answer.items.some(({ error }) => error !== undefined) ? 'rpc-error' : 'ok';
    noteCharge(answer.balanceRemainingUsd);
    const { latencyMs, credits, costUsd, requestId } = answer;
    remember(request, { sentAtMs, outcome, latencyMs, credits, costUsd, requestId });
    return { status: 'answered', request, answer };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (!(error instanceof UnreachableError && error.aborted)) {
      const outcome: CallOutcome = classifyFailure(error).kind === 'refused' ? 'refused' : 'unreachable';
      remember(request, { sentAtMs, outcome, latencyMs: null, credits: null, costUsd: null, requestId: null });
    }
    return { status: 'failed', request, error };
  }
}

function remember({ network, text, calls }: SentRequest, how: Pick<Parameters<typeof rememberCall>[0], 'sentAtMs' | 'outcome' | 'latencyMs' | 'credits' | 'costUsd' | 'requestId'>): void {
  rememberCall({ network, requestText: text, method: calls[0]?.method ?? '', callCount: calls.length, ...how });
}

'use client';

import { type CallCredential, type RpcAnswer, UnreachableError } from '@/lib/client';
import { useCallback, useRef, useState } from 'react';
import { noteCharge } from './billing/last-charge';
import { classifyFailure } from './call-failure';
import { type CallOutcome, rememberCall } from './call-history';
import { gatewayClient } from './gateway';
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

/** Sends requests of the RPC page, one at a time, and writes them into the history. */
export function useRpcCall(): { state: RpcCallState; send: (request: SentRequest) => Promise<void>; cancel: () => void } {
  const [state, setState] = useState<RpcCallState>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  const send = useCallback(async (request: SentRequest) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ status: 'sending', request });
    const next = await performCall(request, controller.signal);
    if (running.current !== controller) return;
    running.current = null;
    setState(next);
  }, []);
  const cancel = useCallback(() => running.current?.abort(), []);
  return { state, send, cancel };
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

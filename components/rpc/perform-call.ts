'use client';

import { noteCharge } from '@/components/billing/last-charge';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { gatewayClient } from '@/lib/browser/reads/gateway-client';
import { type CallCredential, type RpcAnswer, UnreachableError } from '@/lib/client';
import { type CallOutcome, rememberCall } from './call-history';
import type { RequestCall } from './request-text';

export interface SentRequest {
  network: string;
  text: string;
  calls: readonly RequestCall[];
  credential: CallCredential | null;
  idempotencyKey: string | null;
}

export type RpcCallState =
  | { status: 'idle' }
  | { status: 'sending'; request: SentRequest }
  | { status: 'answered'; request: SentRequest; answer: RpcAnswer }
  | { status: 'failed'; request: SentRequest; error: Error };

export type PerformedCall = Extract<RpcCallState, { status: 'answered' | 'failed' }>;

/**
 * Sends one request and adds it to the history, unless the user cancelled the call. Never rejects: the returned state
 * has the failure.
 */
export async function performCall(request: SentRequest, signal: AbortSignal): Promise<PerformedCall> {
  const sentAtMs = Date.now();
  const idempotencyKey = request.idempotencyKey;
  try {
    const answer = await gatewayClient(request.credential).rpc(request.network, request.text, {
      signal,
      ...(idempotencyKey === null ? {} : { idempotencyKey }),
    });
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

function remember(
  { network, text, calls }: SentRequest,
  how: Pick<
    Parameters<typeof rememberCall>[0],
    'sentAtMs' | 'outcome' | 'latencyMs' | 'credits' | 'costUsd' | 'requestId'
  >,
): void {
  rememberCall({ network, requestText: text, method: calls[0]?.method ?? '', callCount: calls.length, ...how });
}

'use client';

import { UnreachableError } from '@/lib/client';
import { noteCharge } from '../billing/last-charge';
import { classifyFailure } from '../call-failure';
import { type CallOutcome, rememberCall } from './call-history';
import { gatewayClient } from '../gateway-client';
import type { PerformedCall, SentRequest } from './rpc-call-state';

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

import { GatewayError, UnreachableError } from '@/lib/client';

/**
 * Reason why a call has no answer: a refusal by the gateway, an intermediary's error, no response, or a fault in this
 * page.
 */
export type CallFailure =
  | { kind: 'refused'; error: GatewayError }
  | { kind: 'intercepted'; error: GatewayError }
  | { kind: 'unreachable'; error: UnreachableError }
  | { kind: 'broken'; error: Error };

export function classifyFailure(error: Error): CallFailure {
  if (error instanceof GatewayError) return { kind: error.detail.isFromService ? 'refused' : 'intercepted', error };
  if (error instanceof UnreachableError) return { kind: 'unreachable', error };
  return { kind: 'broken', error };
}

export function statusOf(error: unknown): number | null {
  return error instanceof GatewayError ? error.status : null;
}

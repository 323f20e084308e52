import { GatewayError, UnreachableError } from '@/lib/client';

/** Why a call has no answer: the gateway refused it, something in between answered, nothing did, or this page itself failed. */
export type CallFailure =
  | { kind: 'refused'; error: GatewayError }
  | { kind: 'intercepted'; error: GatewayError }
  | { kind: 'unreachable'; error: UnreachableError }
  | { kind: 'broken'; error: Error };

/** Tells the kinds of failure apart. */
export function classifyFailure(error: Error): CallFailure {
  if (error instanceof GatewayError) return { kind: error.detail.isFromService ? 'refused' : 'intercepted', error };
  if (error instanceof UnreachableError) return { kind: 'unreachable', error };
  return { kind: 'broken', error };
}

/** The HTTP status of a refusal; null for every other failure, and for none. */
export function statusOf(error: unknown): number | null {
  return error instanceof GatewayError ? error.status : null;
}

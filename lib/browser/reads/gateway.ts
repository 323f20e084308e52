'use client';

import { onRecovered, watchedFetch } from '@/lib/browser/connection/connection';
import { inOwnTask } from '@/lib/browser/page/load-code';
import { type CallCredential, GatewayError, type TurnpikeClientOptions, UnreachableError } from '@/lib/client';
import { createReadCache, type ReadCache } from './read-cache';

export function gatewayOptions(credential?: CallCredential | null): TurnpikeClientOptions {
  const gateway = { baseUrl: window.location.origin, fetch: watchedFetch };
  if (!credential) return gateway;
  return credential.kind === 'apiKey'
    ? { ...gateway, apiKey: credential.apiKey }
    : { ...gateway, signIn: credential.signIn };
}

/** Returns whether a retry can help: false for an error status below 500. */
export function isWorthAnotherTry(error: Error): boolean {
  return !(error instanceof GatewayError && error.status < 500);
}

/** Creates the cache for reads of this gateway. While this machine is offline, reads wait instead of failing. */
export function createGatewayReads(): ReadCache {
  return createReadCache({
    isWorthAnother: isWorthAnotherTry,
    awaitLine: () => (navigator.onLine ? null : nextLine()),
    pace: inOwnTask,
  });
}

function nextLine(): Promise<void> {
  return new Promise((resolve) => {
    const arrive = () => {
      stop();
      window.removeEventListener('online', arrive);
      resolve();
    };
    // A gateway on this machine answers even without a network.
    const stop = onRecovered(arrive);
    window.addEventListener('online', arrive);
  });
}

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

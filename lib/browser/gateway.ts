'use client';

import { type CallCredential, GatewayError, type TurnpikeClientOptions } from '@/lib/client';
import { onRecovered, watchedFetch } from './connection/connection';
import { inOwnTask } from './own-task';
import { createReadCache, type ReadCache } from './reads/read-cache';

/** How to reach the gateway that served this page, for functions of the client that stand alone. */
export function gatewayOptions(credential?: CallCredential | null): TurnpikeClientOptions {
  const gateway = { baseUrl: window.location.origin, fetch: watchedFetch };
  if (!credential) return gateway;
  return credential.kind === 'apiKey'
    ? { ...gateway, apiKey: credential.apiKey }
    : { ...gateway, signIn: credential.signIn };
}

/** Whether a second try can help: there was no answer, or a fault of the server. */
export function isWorthAnotherTry(error: Error): boolean {
  return !(error instanceof GatewayError && error.status < 500);
}

/** A cache for what this page reads of its gateway. While this machine has no line, reading waits for it instead of failing. */
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
    // A gateway on this machine answers without any line.
    const stop = onRecovered(arrive);
    window.addEventListener('online', arrive);
  });
}

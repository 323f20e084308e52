'use client';

import { useSyncExternalStore } from 'react';
import { loadCode } from '@/lib/browser/page/load-code';
import type { PerformedCall, RpcCallState, SentRequest } from './perform-call';
import { createListeners } from '@/lib/browser/storage/stored-value';

let current: RpcCallState = { status: 'idle' };
let running: AbortController | null = null;
const listeners = createListeners();
const IDLE: RpcCallState = { status: 'idle' };

/** Sends requests of the RPC page, one at a time. The last result survives navigation. */
export function useRpcCall(): {
  state: RpcCallState;
  send: (request: SentRequest) => Promise<void>;
  cancel: () => void;
} {
  const state = useSyncExternalStore(
    listeners.subscribe,
    () => current,
    () => IDLE,
  );
  return { state, send, cancel };
}

async function send(request: SentRequest): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  change({ status: 'sending', request });
  const next = await perform(request, controller.signal);
  if (running !== controller) return;
  running = null;
  change(next);
}

const loadSending = () => loadCode(() => import('./perform-call'));

/** Preloads the code for sending. If that fails, sending loads the code again. */
export function preloadSending(): void {
  void loadSending().catch(() => undefined);
}

async function perform(request: SentRequest, signal: AbortSignal): Promise<PerformedCall> {
  try {
    const { performCall } = await loadSending();
    return await performCall(request, signal);
  } catch (thrown) {
    return { status: 'failed', request, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

function cancel(): void {
  running?.abort();
}

function change(next: RpcCallState): void {
  current = next;
  listeners.tell();
}

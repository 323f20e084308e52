'use client';

import type { CallCredential } from '@/lib/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { performCall } from '../perform-call';
import type { RpcCallState, SentRequest } from '../rpc-call-state';

/** Requests that are under way at a time; the rest wait. */
const PARALLEL_MAX = 4;

/** How the call to one of the compared networks stands. */
export type ComparedCall = { network: string } & (
  | Exclude<RpcCallState, { status: 'idle' }>
  | { status: 'waiting'; request: SentRequest }
);

/** Sends one request to several networks and follows each. */
export interface Comparison {
  /** In the order of the networks; empty before the first start. */
  calls: readonly ComparedCall[];
  isRunning: boolean;
  start: (requests: readonly SentRequest[]) => void;
  /** Sends one of them again, with another credential where one is given. */
  retry: (network: string, credential?: CallCredential | null) => void;
  cancel: () => void;
}

/** A comparison of this component; leaving the page cancels what is under way. */
export function useComparison(): Comparison {
  const [calls, setCalls] = useState<readonly ComparedCall[]>([]);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const perform = useCallback(async (request: SentRequest, controller: AbortController) => {
    const put = (state: Exclude<RpcCallState, { status: 'idle' }>) => {
      // What belongs to an earlier start is of no interest any more.
      if (running.current === controller)
        setCalls((before) =>
          before.map((call) => (call.network === request.network ? { network: request.network, ...state } : call)),
        );
    };
    put({ status: 'sending', request });
    put(await performCall(request, controller.signal));
  }, []);

  const start = useCallback(
    (requests: readonly SentRequest[]) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setCalls(requests.map((request) => ({ network: request.network, status: 'waiting', request })));
      const queue = [...requests];
      const work = async () => {
        for (
          let request = queue.shift();
          request !== undefined && running.current === controller;
          request = queue.shift()
        )
          await perform(request, controller);
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

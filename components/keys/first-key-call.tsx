'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { formatCost } from '@/lib/browser/amounts';
import { maskCredential } from '@/lib/browser/credential';
import { useNetworks } from '@/lib/browser/networks';
import { performCall } from '@/lib/browser/rpc/perform-call';
import { readQuantity } from '@/lib/browser/rpc/quantity';
import { checkRequest, composeRequest } from '@/lib/browser/rpc/request-text';
import type { RpcCallState } from '@/lib/browser/rpc/rpc-call-state';
import { curlSample } from '@/lib/browser/samples/curl';
import { mintWords as words } from '@/lib/browser/words/wallet-keys';
import type { CallCredential } from '@/lib/client';
import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

const REQUEST = composeRequest('eth_blockNumber', []);

/** A command with the new key, which can be run here. It is charged like any call. */
export function FirstKeyCall({ apiKey }: { apiKey: string }) {
  const { networks } = useNetworks();
  const network = networks.find(({ family }) => family === 'sandbox') ?? networks.find(({ kind }) => kind === 'evm');
  const check = checkRequest(REQUEST);
  const [state, setState] = useState<RpcCallState>({ status: 'idle' });
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  if (network === undefined || !check.ok) return null;
  const credential: CallCredential = { kind: 'apiKey', apiKey };
  const commandWith = (presented: CallCredential) =>
    curlSample({
      url: `${window.location.origin}/api/v1/crypto/rpc/${network.slug}`,
      credential: presented,
      idempotencyKey: null,
      document: check.document,
      calls: check.calls,
      isBatch: false,
    });
  const run = async () => {
    const controller = new AbortController();
    leaving.current = controller;
    const request = { network: network.slug, text: REQUEST, calls: check.calls, credential, idempotencyKey: null };
    setState({ status: 'sending', request });
    const ended = await performCall(request, controller.signal);
    if (!controller.signal.aborted) setState(ended);
  };
  return (
    <section aria-label={words.tryCommand} className="grid gap-2">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-sm font-medium">{words.tryIt}</h3>
        <CopyButton text={() => commandWith(credential)} label={words.copyCommand} iconOnly />
        <Button size="sm" disabled={state.status === 'sending'} onClick={() => void run()}>
          <Play aria-hidden />
          {state.status === 'sending' ? words.isRunning : words.run}
        </Button>
      </div>
      <pre
        tabIndex={0}
        className="figures overflow-x-auto rounded-md border border-line bg-surface px-3 py-2 text-xs whitespace-pre"
      >
        {commandWith(maskCredential(credential))}
      </pre>
      <p role="status" className="figures min-h-5 text-sm text-good">
        {state.status === 'answered' && sentenceOf(state)}
      </p>
      {state.status === 'failed' && <FailureCard error={state.error} onRetry={() => void run()} />}
    </section>
  );
}

function sentenceOf({ answer }: Extract<RpcCallState, { status: 'answered' }>): string {
  const [item] = answer.items;
  if (item?.error !== undefined) return item.error.message;
  const result = typeof item?.result === 'string' ? item.result : '';
  return words.ran(readQuantity(result) ?? result, answer.costUsd === null ? '' : formatCost(answer.costUsd));
}

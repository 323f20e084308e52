'use client';

import { CodeView } from '@/components/samples/code-view';
import { type SampledRequest, samplesOf } from './rpc-samples';
import type { ChainKind } from '@/lib/protocol/networks';

export function CodeSamples({ request, kind }: { request: SampledRequest; kind: ChainKind }) {
  return (
    <CodeView
      credential={request.credential}
      samplesWith={(credential) => samplesOf({ ...request, credential }, kind)}
    />
  );
}

'use client';

import { CodeView } from '@/components/samples/code-view';
import { samplesOf } from '@/lib/browser/samples';
import type { SampledRequest } from '@/lib/browser/samples/sample';
import type { ChainKind } from '@/lib/protocol/networks';

export function CodeSamples({ request, kind }: { request: SampledRequest; kind: ChainKind }) {
  return (
    <CodeView
      credential={request.credential}
      samplesWith={(credential) => samplesOf({ ...request, credential }, kind)}
    />
  );
}

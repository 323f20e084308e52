import type { ChainKind } from '@/lib/protocol/networks';
import { curlSample } from './curl';
import { pythonSample } from './python';
import type { SampledRequest } from './sample';
import { fetchSample, viemSample } from './typescript';

export type { SampledRequest } from './sample';

/** One language in which a request is shown. */
export interface Sample {
  language: 'curl' | 'viem' | 'fetch' | 'python';
  label: string;
  code: string;
}

/** The request in every language that can make it on a network of this kind, ready to paste. */
export function samplesOf(request: SampledRequest, kind: ChainKind): Sample[] {
  const viem = kind === 'evm' ? viemSample(request) : null;
  return [
    { language: 'curl', label: 'curl', code: curlSample(request) },
    ...(viem === null ? [] : [{ language: 'viem', label: 'TypeScript · viem', code: viem } as const]),
    { language: 'fetch', label: 'TypeScript · fetch', code: fetchSample(request) },
    { language: 'python', label: 'Python', code: pythonSample(request) },
  ];
}

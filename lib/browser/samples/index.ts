import type { ChainKind } from '@/lib/protocol/networks';
import { curlSample } from './curl';
import { pythonSample } from './python';
import type { SampledRequest } from './sample';
import { fetchSample, viemSample } from './typescript';

export type { SampledRequest } from './sample';

/** One language in which a request is shown. */
export interface Sample {
  language: 'curl' | 'viem' | 'fetch' | 'python' | 'openai' | 'client';
  /** The programming language, where the label alone does not say it. */
  family: string | null;
  label: string;
  code: string;
}

/** The request in every language that can make it on a network of this kind, ready to paste. */
export function samplesOf(request: SampledRequest, kind: ChainKind): Sample[] {
  const viem = kind === 'evm' ? viemSample(request) : null;
  return [
    { language: 'curl', family: null, label: 'curl', code: curlSample(request) },
    ...(viem === null ? [] : [{ language: 'viem', family: 'TypeScript', label: 'viem', code: viem } as const]),
    { language: 'fetch', family: 'TypeScript', label: 'fetch', code: fetchSample(request) },
    { language: 'python', family: null, label: 'Python', code: pythonSample(request) },
  ];
}

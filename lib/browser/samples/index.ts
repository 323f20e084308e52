import type { ChainKind } from '@/lib/protocol/networks';
import { curlSample } from './curl';
import { pythonSample } from './python';
import type { SampledRequest } from './sample';
import { fetchSample, viemSample } from './typescript';

export type { SampledRequest } from './sample';

export interface Sample {
  language: 'curl' | 'viem' | 'fetch' | 'python' | 'openai' | 'client';
  /** Programming language, if the label does not name it. */
  family: string | null;
  label: string;
  code: string;
}

export function samplesOf(request: SampledRequest, kind: ChainKind): Sample[] {
  const viem = kind === 'evm' ? viemSample(request) : null;
  return [
    { language: 'curl', family: null, label: 'curl', code: curlSample(request) },
    ...(viem === null ? [] : [{ language: 'viem', family: 'TypeScript', label: 'viem', code: viem } as const]),
    { language: 'fetch', family: 'TypeScript', label: 'fetch', code: fetchSample(request) },
    { language: 'python', family: null, label: 'Python', code: pythonSample(request) },
  ];
}

'use client';

import { listSpeechModels } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';

/** The models of this gateway that speak. */
export function useSpeechModels() {
  return useQuery({ queryKey: ['models', 'tts'], queryFn: ({ signal }) => listSpeechModels(gatewayOptions(), { signal }) });
}

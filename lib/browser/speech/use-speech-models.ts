'use client';

import { listSpeechModels } from '@/lib/client';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';

export function useSpeechModels() {
  return useRead({ key: ['models', 'tts'], read: (signal) => listSpeechModels(gatewayOptions(), { signal }) });
}

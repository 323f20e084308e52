'use client';

import { listVideoModels } from '@/lib/client';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';

export function useVideoModels() {
  return useRead({ key: ['models', 'video'], read: (signal) => listVideoModels(gatewayOptions(), { signal }) });
}

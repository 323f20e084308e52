'use client';

import { listVideoModels } from '@/lib/client';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';

/** The models of this gateway that make videos. */
export function useVideoModels() {
  return useRead({ key: ['models', 'video'], read: (signal) => listVideoModels(gatewayOptions(), { signal }) });
}

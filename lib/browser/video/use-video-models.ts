'use client';

import { listVideoModels } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';

/** The models of this gateway that make videos. */
export function useVideoModels() {
  return useQuery({ queryKey: ['models', 'video'], queryFn: ({ signal }) => listVideoModels(gatewayOptions(), { signal }) });
}

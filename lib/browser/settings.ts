'use client';

import { useQuery } from '@tanstack/react-query';
import { gatewayClient } from './gateway';

/** What this gateway says of itself to its console; it changes with a restart. */
export function useGatewaySettings() {
  return useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => gatewayClient().settings({ signal }), staleTime: Infinity });
}

'use client';

import { queryOptions, useQuery } from '@tanstack/react-query';
import { askSettings } from '@/lib/client';
import { gatewayOptions } from './gateway';

/** It changes with a restart, which a page hears of otherwise; what the server rendered is older than that, and asked again. */
const STALE_AFTER_MS = 86_400_000;

/** Shared by all who ask; not cancelled with one of them, since others wait for it too. */
export const SETTINGS_QUERY = queryOptions({ queryKey: ['settings'], queryFn: () => askSettings(gatewayOptions()), staleTime: STALE_AFTER_MS });

/** What this gateway says of itself to its console; it changes with a restart. */
export function useGatewaySettings() {
  return useQuery(SETTINGS_QUERY);
}

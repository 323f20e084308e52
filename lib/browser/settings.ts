'use client';

import { askSettings, type GatewaySettings } from '@/lib/client';
import { gatewayOptions } from './gateway';
import type { Read } from './reads/read-cache';
import { useRead } from './reads/use-read';

/** Settings change only with a restart. Settings that the server rendered count as stale and are read again. */
const STALE_AFTER_MS = 86_400_000;

/** Cannot be cancelled, because all components share the read. */
export const SETTINGS_READ: Read<GatewaySettings> = {
  key: ['settings'],
  read: () => askSettings(gatewayOptions()),
  staleMs: STALE_AFTER_MS,
};

export function useGatewaySettings() {
  return useRead(SETTINGS_READ);
}

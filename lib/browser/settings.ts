'use client';

import { askSettings, type GatewaySettings } from '@/lib/client';
import { gatewayOptions } from './gateway';
import type { Read } from './reads/read-cache';
import { useRead } from './reads/use-read';

/** It changes with a restart, which a page hears of otherwise; what the server rendered is older than that, and asked again. */
const STALE_AFTER_MS = 86_400_000;

/** Shared by all who ask; not cancelled with one of them, since others wait for it too. */
export const SETTINGS_READ: Read<GatewaySettings> = {
  key: ['settings'],
  read: () => askSettings(gatewayOptions()),
  staleMs: STALE_AFTER_MS,
};

/** What this gateway says of itself to its console; it changes with a restart. */
export function useGatewaySettings() {
  return useRead(SETTINGS_READ);
}

'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { type ReadResult, useRead } from '@/lib/browser/reads/use-read';
import type { CallCredential } from '@/lib/client';
import type { OperatorMargins } from '@/lib/protocol/operator-margins';

const REFRESH_EVERY_MS = 60_000;

export function useMargins(presented: CallCredential): ReadResult<OperatorMargins | null> {
  return useRead({
    key: ['operator-margins', presented],
    read: async (signal) => {
      const { askOperatorMargins } = await import('@/lib/client/operator-figures');
      return askOperatorMargins(gatewayOptions(presented), { signal });
    },
    staleMs: REFRESH_EVERY_MS / 2,
    everyMs: REFRESH_EVERY_MS,
    onReturn: true,
  });
}

'use client';

import { type CallCredential, createTurnpikeClient, type TurnpikeClient } from '@/lib/client';
import { gatewayOptions } from './gateway';

/**
 * Returns a client of this page's gateway with all methods. To load less code, import one method's function instead.
 */
export function gatewayClient(credential?: CallCredential | null): TurnpikeClient {
  return createTurnpikeClient(gatewayOptions(credential));
}

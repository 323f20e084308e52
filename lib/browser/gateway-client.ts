'use client';

import { type CallCredential, createTurnpikeClient, type TurnpikeClient } from '@/lib/client';
import { gatewayOptions } from './gateway';

/**
 * Returns a client of this page's gateway with all methods. Code that needs a single method loads less if it imports
 * the function of that method from the client instead.
 */
export function gatewayClient(credential?: CallCredential | null): TurnpikeClient {
  return createTurnpikeClient(gatewayOptions(credential));
}

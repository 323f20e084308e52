'use client';

import { type CallCredential, createTurnpikeClient, type TurnpikeClient } from '@/lib/client';
import { gatewayOptions } from './gateway';

/** Returns a client of this page's gateway with all methods. Importing one method's function loads less code. */
export function gatewayClient(credential?: CallCredential | null): TurnpikeClient {
  return createTurnpikeClient(gatewayOptions(credential));
}

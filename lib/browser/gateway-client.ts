'use client';

import { type CallCredential, createTurnpikeClient, type TurnpikeClient } from '@/lib/client';
import { gatewayOptions } from './gateway';

/** A client of the gateway that served this page, with all that it can; what needs one read alone takes the function for that, which is lighter. */
export function gatewayClient(credential?: CallCredential | null): TurnpikeClient {
  return createTurnpikeClient(gatewayOptions(credential));
}

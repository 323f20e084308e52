'use client';

import type { Attestation } from '@/lib/client/private-chat';
import { hopsOfAttestation } from '@/lib/client/private-chat/attestation-hops';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';

/** Returns a prompt's hops to an enclave, according to an attestation that this page has verified. */
export function attestedHops(attestation: Attestation): readonly Hop[] {
  return hopsOfAttestation(attestation, { client: 'page', gateway: window.location.host });
}

/** Returns the unverified hops that a prompt takes to a model outside enclaves. */
export function relayedHops(): readonly Hop[] {
  return hopsOf({
    client: 'page',
    gateway: window.location.host,
    provider: null,
    isAttested: false,
    encryption: null,
    family: null,
    enclaves: [],
  });
}

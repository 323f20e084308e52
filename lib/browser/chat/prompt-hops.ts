'use client';

import type { Attestation } from '@/lib/client/private-chat';
import { hopsOfAttestation } from '@/lib/client/private-chat/attestation-hops';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';

/** The way of what is written in this page, under an attestation that was verified in it. */
export function attestedHops(attestation: Attestation): readonly Hop[] {
  return hopsOfAttestation(attestation, { client: 'page', gateway: window.location.host });
}

/** The way to a model outside of enclaves: every hop is a claim. */
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

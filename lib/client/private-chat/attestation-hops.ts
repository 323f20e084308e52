import type { Hop, HopRequest } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import type { Attestation } from './judged-attestation';

/**
 * Returns the hops of a prompt. Derives them from an attestation that this client verified. Uses the gateway's own list
 * of hops only for the provider's name.
 */
export function hopsOfAttestation(
  { verdict, encryption, claim }: Pick<Attestation, 'verdict' | 'encryption' | 'claim'>,
  { client, gateway = null }: { client: HopRequest['client']; gateway?: string | null },
): readonly Hop[] {
  return hopsOf({
    client,
    gateway,
    provider: claim.provider,
    isAttested: true,
    encryption,
    family: verdict.family,
    enclaves: verdict.enclaves,
  });
}

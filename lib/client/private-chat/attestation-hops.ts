import type { Hop, HopRequest } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import type { Attestation } from './judged-attestation';

/**
 * Returns the hops that a prompt takes to the model, according to an attestation that this client verified. Only the
 * provider's name comes from the gateway's own list of hops.
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

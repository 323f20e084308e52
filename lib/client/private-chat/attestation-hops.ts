import type { Hop, HopQuestion } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import type { Attestation } from './judged-attestation';

/**
 * The path of a prompt under an attestation, as it was verified here. What the gateway says of hops is not looked at, but
 * for what it calls whoever runs the model.
 */
export function hopsOfAttestation(
  { verdict, encryption, claim }: Pick<Attestation, 'verdict' | 'encryption' | 'claim'>,
  { client, gateway = null }: { client: HopQuestion['client']; gateway?: string | null },
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

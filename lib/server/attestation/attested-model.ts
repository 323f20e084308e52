import type { RecipientAlgorithm } from '@/lib/protocol/attestation/recipient-key';
import type { UpstreamEncryption } from '../config/inference';
import type { ModelUpstream } from '../upstreams/models/model-upstream';

/** A model that runs in an enclave, as far as attesting it goes. */
export interface AttestedModel {
  id: string;
  upstream: Pick<ModelUpstream, 'name' | 'ask' | 'redact' | 'encryption'>;
  capabilities: { supportsE2EE: boolean };
}

const KEYS: Readonly<Record<UpstreamEncryption, RecipientAlgorithm>> = { ecdsa: 'secp256k1', ehbp: 'x25519-hpke' };

/** The kind of key that clients encrypt to, as it is configured; null where they send plain text. */
export function keyAlgorithmOf({ upstream, capabilities }: { upstream: Pick<ModelUpstream, 'encryption'>; capabilities: { supportsE2EE: boolean } }): RecipientAlgorithm | null {
  return capabilities.supportsE2EE ? KEYS[upstream.encryption] : null;
}

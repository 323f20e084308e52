import type { RecipientAlgorithm } from '@/lib/protocol/attestation/recipient-key';
import type { UpstreamEncryption } from '../config/inference';
import type { ModelUpstream } from '../upstreams/models/model-upstream';

export interface AttestedModel {
  id: string;
  /** Name of the model at its upstream's control server. */
  controlId?: string;
  upstream: Pick<ModelUpstream, 'name' | 'ask' | 'redact' | 'encryption'> &
    Partial<Pick<ModelUpstream, 'control' | 'instances'>>;
  /** Encryption between client and enclave; null if the model has none. */
  encryption: UpstreamEncryption | null;
}

const KEYS: Readonly<Record<UpstreamEncryption, RecipientAlgorithm>> = {
  ecdsa: 'secp256k1',
  ed25519: 'ed25519',
  ehbp: 'x25519-hpke',
  'ml-kem-768': 'ml-kem-768',
};

const SIGNING_ALGORITHMS: Readonly<Record<UpstreamEncryption, 'ecdsa' | 'ed25519'>> = {
  ecdsa: 'ecdsa',
  ed25519: 'ed25519',
  ehbp: 'ecdsa',
  'ml-kem-768': 'ecdsa',
};

/**
 * Returns the algorithm of the attested enclave key, which signs answers. A report attests one key even if the enclave
 * has two.
 */
export function signingAlgorithmOf({ encryption }: Pick<ModelUpstream, 'encryption'>): 'ecdsa' | 'ed25519' {
  return SIGNING_ALGORITHMS[encryption];
}

/** Returns the algorithm of the key to which clients encrypt; null if clients send plain text. */
export function keyAlgorithmOf({ encryption }: Pick<AttestedModel, 'encryption'>): RecipientAlgorithm | null {
  return encryption && KEYS[encryption];
}

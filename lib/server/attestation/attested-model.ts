import type { RecipientAlgorithm } from '@/lib/protocol/attestation/recipient-key';
import type { UpstreamEncryption } from '../config/inference';
import type { ModelUpstream } from '../upstreams/models/model-upstream';

/** A model that runs in an enclave, as far as attesting it goes. */
export interface AttestedModel {
  id: string;
  /** What its upstream's control server calls it, where there is one. */
  controlId?: string;
  upstream: Pick<ModelUpstream, 'name' | 'ask' | 'redact' | 'encryption'> &
    Partial<Pick<ModelUpstream, 'control' | 'instances'>>;
  /** How clients encrypt to it; null where they cannot. */
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

/** By which algorithm an enclave is asked for its report and for signatures: of one that has keys of both, the report is of either. */
export function signingAlgorithmOf({ encryption }: Pick<ModelUpstream, 'encryption'>): 'ecdsa' | 'ed25519' {
  return SIGNING_ALGORITHMS[encryption];
}

/** The kind of key that clients encrypt to, as it is configured; null where they send plain text. */
export function keyAlgorithmOf({ encryption }: Pick<AttestedModel, 'encryption'>): RecipientAlgorithm | null {
  return encryption && KEYS[encryption];
}

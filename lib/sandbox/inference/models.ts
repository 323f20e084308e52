import type { SimulatedFamily } from '../enclave/families/family-reports';

/**
 * Simulated server that runs a model. `guide` is outside enclaves. `enclave` has the protocol of NEAR AI and Phala,
 * `near` the same with ed25519 keys. `tinfoil` and `chutes` have those providers' protocols.
 */
export type StandInPlace = 'guide' | 'enclave' | 'near' | 'tinfoil' | 'chutes';

/** Encryption scheme that each enclave server's models support, for the gateway's configuration. */
export const PLACE_ENCRYPTION = {
  enclave: 'ecdsa',
  near: 'ed25519',
  tinfoil: 'ehbp',
  chutes: 'ml-kem-768',
} as const satisfies Record<Exclude<StandInPlace, 'guide'>, string>;

export interface StandInModel {
  id: string;
  place: StandInPlace;
  isEncryptable: boolean;
  isEmbedding?: boolean;
  /** True if the model accepts pictures. Encrypted bodies can contain pictures; encrypted messages cannot. */
  sees?: true;
  /** Format of the attestation report. Default: the specified format. */
  family?: SimulatedFamily;
  chuteId?: string;
}

export const STAND_IN_MODELS: readonly StandInModel[] = [
  { id: 'guide', place: 'guide', isEncryptable: false, sees: true },
  { id: 'tee-guide', place: 'enclave', isEncryptable: false, sees: true },
  { id: 'e2ee-guide', place: 'enclave', isEncryptable: true },
  { id: 'near-cloud-guide', place: 'enclave', isEncryptable: true, family: 'near-cloud' },
  { id: 'near-direct-guide', place: 'enclave', isEncryptable: false, family: 'near-ed25519' },
  { id: 'chutes-guide', place: 'enclave', isEncryptable: false, family: 'chutes' },
  { id: 'phala-cloud-guide', place: 'enclave', isEncryptable: false, family: 'phala-cloud' },
  { id: 'near-ed25519-guide', place: 'near', isEncryptable: true, family: 'near-ed25519' },
  { id: 'tinfoil-guide', place: 'tinfoil', isEncryptable: true, sees: true, family: 'tinfoil' },
  { id: 'tinfoil-embedding', place: 'tinfoil', isEncryptable: true, isEmbedding: true, family: 'tinfoil' },
  {
    id: 'chutes-e2ee-guide',
    place: 'chutes',
    isEncryptable: true,
    sees: true,
    chuteId: '5a4d0000-0000-4000-8000-000000000001',
  },
];

export function isAttested({ place }: StandInModel): boolean {
  return place !== 'guide';
}

export function modelOfChute(id: string): StandInModel | undefined {
  return STAND_IN_MODELS.find((model) => model.place === 'chutes' && (model.chuteId === id || model.id === id));
}

const CREATED = 1_767_225_600;
/** Context length of each model: prompt and answer together. */
export const CONTEXT_TOKENS = 32_768;

export function modelList(models: readonly StandInModel[]) {
  return {
    object: 'list',
    data: models.map(({ id, chuteId, isEmbedding }) => ({
      id,
      ...(isEmbedding && { type: 'embedding' }),
      object: 'model',
      created: CREATED,
      owned_by: 'turnpike-sandbox',
      context_length: CONTEXT_TOKENS,
      ...(chuteId !== undefined && { chute_id: chuteId }),
    })),
  };
}

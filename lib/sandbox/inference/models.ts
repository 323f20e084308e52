import type { SimulatedFamily } from '../enclave/families/family-reports';

/** A server of stand-ins: outside of enclaves, in the protocol of NEAR AI and Phala, the same with keys of ed25519, in Tinfoil's, or in Chutes'. */
export type StandInPlace = 'guide' | 'enclave' | 'near' | 'tinfoil' | 'chutes';

/** How clients encrypt to the models of a server in an enclave, as a gateway configures it. */
export const PLACE_ENCRYPTION = {
  enclave: 'ecdsa',
  near: 'ed25519',
  tinfoil: 'ehbp',
  chutes: 'ml-kem-768',
} as const satisfies Record<Exclude<StandInPlace, 'guide'>, string>;

/** A model of the stand-ins. */
export interface StandInModel {
  id: string;
  place: StandInPlace;
  /** Whether it takes encrypted requests. */
  isEncryptable: boolean;
  /** The family in whose shape it attests; that of the specification where absent. */
  family?: SimulatedFamily;
  /** What Chutes' API calls it; absent where it has none. */
  chuteId?: string;
}

export const STAND_IN_MODELS: readonly StandInModel[] = [
  { id: 'guide', place: 'guide', isEncryptable: false },
  { id: 'tee-guide', place: 'enclave', isEncryptable: false },
  { id: 'e2ee-guide', place: 'enclave', isEncryptable: true },
  { id: 'near-cloud-guide', place: 'enclave', isEncryptable: true, family: 'near-cloud' },
  { id: 'near-direct-guide', place: 'enclave', isEncryptable: false, family: 'near-ed25519' },
  { id: 'chutes-guide', place: 'enclave', isEncryptable: false, family: 'chutes' },
  { id: 'phala-cloud-guide', place: 'enclave', isEncryptable: false, family: 'phala-cloud' },
  { id: 'near-ed25519-guide', place: 'near', isEncryptable: true, family: 'near-ed25519' },
  { id: 'tinfoil-guide', place: 'tinfoil', isEncryptable: true, family: 'tinfoil' },
  { id: 'chutes-e2ee-guide', place: 'chutes', isEncryptable: true, chuteId: '5a4d0000-0000-4000-8000-000000000001' },
];

/** Whether a model runs in the simulated enclave. */
export function isAttested({ place }: StandInModel): boolean {
  return place !== 'guide';
}

/** The model that Chutes' API has under this id, or by its name. */
export function modelOfChute(id: string): StandInModel | undefined {
  return STAND_IN_MODELS.find((model) => model.place === 'chutes' && (model.chuteId === id || model.id === id));
}

const CREATED = 1_767_225_600;
/** What each of them reads at most, question and answer. */
export const CONTEXT_TOKENS = 32_768;

/** A list of models as OpenAI's API has it. */
export function modelList(models: readonly StandInModel[]) {
  return {
    object: 'list',
    data: models.map(({ id, chuteId }) => ({
      id,
      object: 'model',
      created: CREATED,
      owned_by: 'turnpike-sandbox',
      context_length: CONTEXT_TOKENS,
      ...(chuteId !== undefined && { chute_id: chuteId }),
    })),
  };
}

import type { SimulatedFamily } from '../enclave/families/family-reports';

/** A server of stand-ins: outside of enclaves, in the protocol of NEAR AI and Phala, the same with keys of ed25519, or in Tinfoil's. */
export type StandInPlace = 'guide' | 'enclave' | 'near' | 'tinfoil';

/** How clients encrypt to the models of a server in an enclave, as a gateway configures it. */
export const PLACE_ENCRYPTION = { enclave: 'ecdsa', near: 'ed25519', tinfoil: 'ehbp' } as const satisfies Record<Exclude<StandInPlace, 'guide'>, string>;

/** A model of the stand-ins. */
export interface StandInModel {
  id: string;
  place: StandInPlace;
  /** Whether it takes encrypted requests. */
  isEncryptable: boolean;
  /** The family in whose shape it attests; that of the specification where absent. */
  family?: SimulatedFamily;
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
];

/** Whether a model runs in the simulated enclave. */
export function isAttested({ place }: StandInModel): boolean {
  return place !== 'guide';
}

const CREATED = 1_767_225_600;
const CONTEXT_TOKENS = 32_768;

/** A list of models as OpenAI's API has it. */
export function modelList(models: readonly StandInModel[]) {
  return { object: 'list', data: models.map(({ id }) => ({ id, object: 'model', created: CREATED, owned_by: 'turnpike-sandbox', context_length: CONTEXT_TOKENS })) };
}

import type { SimulatedFamily } from '../enclave/families/family-reports';

/** A model of the stand-ins. */
export interface StandInModel {
  id: string;
  /** Whether it runs in the simulated enclave. */
  isAttested: boolean;
  /** Whether it takes encrypted requests. */
  isEncryptable: boolean;
  /** The family in whose shape it attests; that of the specification where absent. */
  family?: SimulatedFamily;
}

export const STAND_IN_MODELS: readonly StandInModel[] = [
  { id: 'guide', isAttested: false, isEncryptable: false },
  { id: 'tee-guide', isAttested: true, isEncryptable: false },
  { id: 'e2ee-guide', isAttested: true, isEncryptable: true },
  { id: 'near-cloud-guide', isAttested: true, isEncryptable: true, family: 'near-cloud' },
  { id: 'near-direct-guide', isAttested: true, isEncryptable: false, family: 'near-ed25519' },
  { id: 'chutes-guide', isAttested: true, isEncryptable: false, family: 'chutes' },
  { id: 'phala-cloud-guide', isAttested: true, isEncryptable: false, family: 'phala-cloud' },
];

const CREATED = 1_767_225_600;
const CONTEXT_TOKENS = 32_768;

/** A list of models as OpenAI's API has it. */
export function modelList(models: readonly StandInModel[]) {
  return { object: 'list', data: models.map(({ id }) => ({ id, object: 'model', created: CREATED, owned_by: 'turnpike-sandbox', context_length: CONTEXT_TOKENS })) };
}

/** A model of the stand-ins. */
export interface StandInModel {
  id: string;
  /** Whether it runs in the simulated enclave. */
  isAttested: boolean;
  /** Whether it takes encrypted requests. */
  isEncryptable: boolean;
}

export const STAND_IN_MODELS: readonly StandInModel[] = [
  { id: 'guide', isAttested: false, isEncryptable: false },
  { id: 'tee-guide', isAttested: true, isEncryptable: false },
  { id: 'e2ee-guide', isAttested: true, isEncryptable: true },
];

const CREATED = 1_767_225_600;
const CONTEXT_TOKENS = 32_768;

/** A list of models as OpenAI's API has it. */
export function modelList(models: readonly StandInModel[]) {
  return { object: 'list', data: models.map(({ id }) => ({ id, object: 'model', created: CREATED, owned_by: 'turnpike-sandbox', context_length: CONTEXT_TOKENS })) };
}

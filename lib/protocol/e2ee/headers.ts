/** The request headers of an end-to-end encrypted call, in lower case (specification, "E2EE calls"). */
export const E2EE_HEADERS = {
  clientPublicKey: 'x-service-tee-client-pub-key',
  modelPublicKey: 'x-service-tee-model-pub-key',
  signingAlgorithm: 'x-service-tee-signing-algo',
} as const;

/** The same headers as enclaves of the NEAR AI and Phala family know them. */
export const ENCLAVE_E2EE_HEADERS = {
  clientPublicKey: 'x-client-pub-key',
  modelPublicKey: 'x-model-pub-key',
  signingAlgorithm: 'x-signing-algo',
} as const;

/** The one signing algorithm that is specified. */
export const E2EE_SIGNING_ALGORITHM = 'ecdsa';

type HeaderOf = (name: string) => string | null | undefined;

/** Whether a request is to be treated as encrypted: any one of the three headers makes it so, an empty one too. */
export function isE2eeRequest(header: HeaderOf): boolean {
  return Object.values(E2EE_HEADERS).some((name) => header(name) != null);
}

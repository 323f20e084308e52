/** The request headers of an end-to-end encrypted call, in lower case (specification, "E2EE calls"). */
export const E2EE_HEADERS = {
  clientPublicKey: 'x-service-tee-client-pub-key',
  modelPublicKey: 'x-service-tee-model-pub-key',
  signingAlgorithm: 'x-service-tee-signing-algo',
} as const;

/** The same headers as people read them (specification, "E2EE calls"). */
export const E2EE_HEADER_NAMES = {
  clientPublicKey: 'X-Service-TEE-Client-Pub-Key',
  modelPublicKey: 'X-Service-TEE-Model-Pub-Key',
  signingAlgorithm: 'X-Service-TEE-Signing-Algo',
} as const satisfies Record<keyof typeof E2EE_HEADERS, string>;

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

/**
 * A sentence of an enclave with the names that the caller knows of the headers that it speaks of: they were sent on
 * under others.
 */
export function withCallersHeaderNames(sentence: string): string {
  return (Object.keys(ENCLAVE_E2EE_HEADERS) as (keyof typeof ENCLAVE_E2EE_HEADERS)[]).reduce(
    (text, header) => text.replace(new RegExp(`(?<![\\w-])${ENCLAVE_E2EE_HEADERS[header]}(?![\\w-])`, 'gi'), E2EE_HEADER_NAMES[header]),
    sentence,
  );
}

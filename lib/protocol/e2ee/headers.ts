/** Request headers of an end-to-end encrypted call, lower case (specification, "E2EE calls"). */
export const E2EE_HEADERS = {
  clientPublicKey: 'x-service-tee-client-pub-key',
  modelPublicKey: 'x-service-tee-model-pub-key',
  signingAlgorithm: 'x-service-tee-signing-algo',
} as const;

export const E2EE_HEADER_NAMES = {
  clientPublicKey: 'X-Service-TEE-Client-Pub-Key',
  modelPublicKey: 'X-Service-TEE-Model-Pub-Key',
  signingAlgorithm: 'X-Service-TEE-Signing-Algo',
} as const satisfies Record<keyof typeof E2EE_HEADERS, string>;

/** Header names that enclaves of NEAR AI and Phala use. */
export const ENCLAVE_E2EE_HEADERS = {
  clientPublicKey: 'x-client-pub-key',
  modelPublicKey: 'x-model-pub-key',
  signingAlgorithm: 'x-signing-algo',
} as const;

export const E2EE_SIGNING_ALGORITHM = 'ecdsa';

type HeaderOf = (name: string) => string | null | undefined;

/** Header with the encryption's version. Version 1 is the encryption in the specification. */
export const ENCRYPTION_VERSION_HEADER = 'x-encryption-version';

/** Algorithm and version of encryption to ed25519 keys in NEAR AI's enclaves. */
export const ED25519_ALGORITHM = 'ed25519';
export const ED25519_ENCRYPTION_VERSION = '2';

/**
 * Header that makes the enclave encrypt every field with model text, including log probabilities, refusals and tool
 * calls. Without this header, NEAR AI's enclaves encrypt only contents and reasoning.
 */
export const ALL_FIELDS_HEADER = 'x-encrypt-all-fields';
const OWN_ALL_FIELDS_HEADER = 'x-service-tee-encrypt-all-fields';

/**
 * Returns whether the caller meant to encrypt the request: it has at least one encryption header, even an empty one.
 */
export function isE2eeRequest(header: HeaderOf): boolean {
  return ALL_NAMES.some((name) => header(name) != null);
}

const ALL_NAMES = [
  ...Object.values(E2EE_HEADERS),
  ...Object.values(ENCLAVE_E2EE_HEADERS),
  ENCRYPTION_VERSION_HEADER,
  ALL_FIELDS_HEADER,
  OWN_ALL_FIELDS_HEADER,
];

/**
 * Returns whether the request asks the enclave to encrypt all fields. Null for an invalid value, and for two headers
 * with different values. Parses the value in the same way as enclaves.
 */
export function encryptsAllFields(header: HeaderOf): boolean | null {
  const values = [header(ALL_FIELDS_HEADER), header(OWN_ALL_FIELDS_HEADER)]
    .filter((value) => value != null)
    .map((value) => YES_OR_NO.get(value.trim().toLowerCase()) ?? null);
  const [first = false] = values;
  return values.every((value) => value === first) ? first : null;
}

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Returns a header's value under the specified name or the enclave's name. Null if both are missing, or have different
 * values.
 */
export function e2eeHeader(header: HeaderOf, name: keyof typeof E2EE_HEADERS): string | null {
  const [ours, theirs] = [header(E2EE_HEADERS[name]), header(ENCLAVE_E2EE_HEADERS[name])];
  if (ours != null && theirs != null && ours !== theirs) return null;
  return ours ?? theirs ?? null;
}

/** Rewrites a sentence to use the caller's header names instead of the enclave's. */
export function withCallersHeaderNames(sentence: string): string {
  return (Object.keys(ENCLAVE_E2EE_HEADERS) as (keyof typeof ENCLAVE_E2EE_HEADERS)[]).reduce(
    (text, header) =>
      text.replace(new RegExp(`(?<![\\w-])${ENCLAVE_E2EE_HEADERS[header]}(?![\\w-])`, 'gi'), E2EE_HEADER_NAMES[header]),
    sentence,
  );
}

/** Header with the model of a wholly encrypted chat. */
export const SEALED_MODEL_HEADER = 'x-service-tee-model';

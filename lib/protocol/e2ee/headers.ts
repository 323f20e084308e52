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

/** Tells a version of the encryption, by the name of the same family. Its first version is what is specified. */
export const ENCRYPTION_VERSION_HEADER = 'x-encryption-version';

/** The algorithm and version of encryption to keys of ed25519, as NEAR AI's enclaves have it. */
export const ED25519_ALGORITHM = 'ed25519';
export const ED25519_ENCRYPTION_VERSION = '2';

/**
 * Has the enclave encrypt every field that holds text of the model: log probabilities, refusals and calls of tools beside
 * contents. Without it NEAR AI's enclaves encrypt contents and reasoning alone.
 */
export const ALL_FIELDS_HEADER = 'x-encrypt-all-fields';
export const OWN_ALL_FIELDS_HEADER = 'x-service-tee-encrypt-all-fields';

/** Whether a request is to be treated as encrypted: any one of the headers makes it so, under either name, an empty one too. */
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

/** Whether all fields are to be encrypted; null for a value that is neither yes nor no, and for two that differ. Enclaves read it like this. */
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
 * The value of one of the three headers, by its own name or by that which enclaves know it by; null where it is missing.
 * Two that differ are none.
 */
export function e2eeHeader(header: HeaderOf, name: keyof typeof E2EE_HEADERS): string | null {
  const [ours, theirs] = [header(E2EE_HEADERS[name]), header(ENCLAVE_E2EE_HEADERS[name])];
  if (ours != null && theirs != null && ours !== theirs) return null;
  return ours ?? theirs ?? null;
}

/**
 * A sentence of an enclave with the names that the caller knows of the headers that it speaks of: they were sent on
 * under others.
 */
export function withCallersHeaderNames(sentence: string): string {
  return (Object.keys(ENCLAVE_E2EE_HEADERS) as (keyof typeof ENCLAVE_E2EE_HEADERS)[]).reduce(
    (text, header) =>
      text.replace(new RegExp(`(?<![\\w-])${ENCLAVE_E2EE_HEADERS[header]}(?![\\w-])`, 'gi'), E2EE_HEADER_NAMES[header]),
    sentence,
  );
}

/** Names the model of a chat whose body is encrypted as a whole, in lower case. */
export const SEALED_MODEL_HEADER = 'x-service-tee-model';

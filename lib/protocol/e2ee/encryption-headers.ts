/** Names of the ways in which clients encrypt, as `model_spec.encryption` has them. */
export type EncryptionScheme = 'ecdsa' | 'ed25519' | 'ehbp' | 'ml-kem-768';

/** A request header of one or several ways to encrypt. */
export interface EncryptionHeader {
  /** Our name first, then those by which other servers of the family know it. */
  names: readonly [string, ...string[]];
  /** The schemes whose requests may carry it; none for a header that is known and always refused. */
  schemes: readonly EncryptionScheme[];
  /** For the API description; why it is refused, where no scheme takes it. Without a full stop. */
  text: string;
}

const MESSAGES = ['ecdsa', 'ed25519'] as const;
const BODIES = ['ehbp', 'ml-kem-768'] as const;

/**
 * Every request header that has to do with encryption. The check of requests, CORS, the API description and
 * `model_spec.encryptionHeaders` read this table.
 */
export const ENCRYPTION_HEADERS: readonly EncryptionHeader[] = [
  {
    names: ['X-Service-TEE-Client-Pub-Key', 'X-Client-Pub-Key'],
    schemes: MESSAGES,
    text: "The client's ephemeral key: of secp256k1, uncompressed, 130 hexadecimal characters that start with 04; of ed25519, 64",
  },
  {
    names: ['X-Service-TEE-Model-Pub-Key', 'X-Model-Pub-Key'],
    schemes: MESSAGES,
    text: 'The key of the model, from its attestation',
  },
  {
    names: ['X-Service-TEE-Signing-Algo', 'X-Signing-Algo'],
    schemes: MESSAGES,
    text: 'ecdsa with models that have supportsE2EE, ed25519 with models whose model_spec.encryption is ed25519',
  },
  { names: ['X-Encryption-Version'], schemes: MESSAGES, text: '2 with ed25519; 1 or absent with ecdsa' },
  {
    names: ['X-Encrypt-All-Fields', 'X-Service-TEE-Encrypt-All-Fields'],
    schemes: MESSAGES,
    text: 'true has the enclave encrypt logprobs, refusals and tool calls too. Without it they would be answered in the clear, so that logprobs are refused',
  },
  {
    names: ['Ehbp-Encapsulated-Key'],
    schemes: ['ehbp'],
    text: 'Of a body that is encrypted as a whole: the key that HPKE encapsulated, 64 hexadecimal characters',
  },
  { names: ['X-Service-TEE-Model'], schemes: BODIES, text: 'The model that a body encrypted as a whole is for' },
  {
    names: ['X-Service-TEE-Instance', 'X-Instance-Id'],
    schemes: ['ml-kem-768'],
    text: 'Of a body that is encrypted to one instance with ML-KEM-768: the name of the instance, from its attestation',
  },
  {
    names: ['X-E2E-Stream'],
    schemes: ['ml-kem-768'],
    text: 'Of a body that is encrypted to one instance: whether the answer is to be streamed, true or false',
  },
  { names: ['X-Encrypt-Tool-Calls'], schemes: [], text: 'send X-Encrypt-All-Fields instead' },
  { names: ['X-Chute-Id'], schemes: [], text: 'name the model with X-Service-TEE-Model instead' },
  { names: ['X-E2E-Nonce'], schemes: [], text: 'the gateway takes the nonces of instances itself' },
  { names: ['X-E2E-Path'], schemes: [], text: 'the path of the request says what is asked for' },
];

/** How names begin that belong to encryption and to nothing else: a misspelled one must not leave a request in plain text. */
const PREFIXES = ['x-service-tee-', 'x-e2e-', 'ehbp-'] as const;

const BY_NAME: ReadonlyMap<string, EncryptionHeader> = new Map(
  ENCRYPTION_HEADERS.flatMap((header) => header.names.map((name) => [name.toLowerCase(), header] as const)),
);

/** The headers of a scheme, by the names that we give them. */
export function headersOf(scheme: EncryptionScheme): string[] {
  return ENCRYPTION_HEADERS.filter(({ schemes }) => schemes.includes(scheme)).map(({ names: [name] }) => name);
}

/** The names of all headers that some scheme takes. */
export function takenHeaderNames(): string[] {
  return ENCRYPTION_HEADERS.filter(({ schemes }) => schemes.length > 0).flatMap(({ names }) => names);
}

/**
 * Finds a header of encryption that a request must not carry: ignoring it would answer in the clear, or under another
 * key, what its client believes to be encrypted.
 * @param names of the request's headers, in lower case
 * @param schemes that the request may be encrypted with; none where it is plain
 * @returns a sentence about the first one, or null
 */
export function misplacedHeader(names: Iterable<string>, schemes: readonly EncryptionScheme[]): string | null {
  for (const name of names) {
    const header = BY_NAME.get(name);
    if (header === undefined) {
      if (PREFIXES.some((prefix) => name.startsWith(prefix)))
        return `${name.slice(0, 100)} is not a header of any encryption here: correct its name, or leave it out.`;
    } else if (!header.schemes.some((scheme) => schemes.includes(scheme))) {
      return sentenceOf(header, header.names.find((each) => each.toLowerCase() === name) ?? name, schemes.length === 0);
    }
  }
  return null;
}

function sentenceOf({ schemes, text }: EncryptionHeader, name: string, isPlain: boolean): string {
  if (schemes.length === 0) return `${name} is not taken here: ${text}.`;
  if (isPlain)
    return `${name} belongs to encrypted requests (${schemes.join(', ')}), and this one is not encrypted: send all headers of the encryption, or leave it out.`;
  return `${name} belongs to another encryption (${schemes.join(', ')}) than the other headers of this request: leave it out.`;
}

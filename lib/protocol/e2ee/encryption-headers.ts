/** Names of the encryption schemes, used in `model_spec.encryption`. */
export type EncryptionScheme = 'ecdsa' | 'ed25519' | 'ehbp' | 'ml-kem-768';

interface EncryptionHeader {
  /** Names of the header: this gateway's name first, then other servers' names. */
  names: readonly [string, ...string[]];
  /** Schemes whose requests may have this header. Empty if the gateway always refuses the header. */
  schemes: readonly EncryptionScheme[];
  /**
   * Description for the API's documentation, or advice to the caller if the gateway always refuses the header. Without
   * a full stop.
   */
  text: string;
}

const MESSAGES = ['ecdsa', 'ed25519'] as const;
const BODIES = ['ehbp', 'ml-kem-768'] as const;

/**
 * All request headers for encryption. The request check, CORS, the API description and `model_spec.encryptionHeaders`
 * use this table.
 */
export const ENCRYPTION_HEADERS: readonly EncryptionHeader[] = [
  {
    names: ['X-Service-TEE-Client-Pub-Key', 'X-Client-Pub-Key'],
    schemes: MESSAGES,
    text: "The client's ephemeral key in hexadecimal: 130 characters starting with 04 (secp256k1, uncompressed), or 64 (ed25519)",
  },
  {
    names: ['X-Service-TEE-Model-Pub-Key', 'X-Model-Pub-Key'],
    schemes: MESSAGES,
    text: 'The key of the model, from its attestation',
  },
  {
    names: ['X-Service-TEE-Signing-Algo', 'X-Signing-Algo'],
    schemes: MESSAGES,
    text: 'ecdsa for models with supportsE2EE; ed25519 for models whose model_spec.encryption is ed25519',
  },
  { names: ['X-Encryption-Version'], schemes: MESSAGES, text: '2 with ed25519; 1 or absent with ecdsa' },
  {
    names: ['X-Encrypt-All-Fields', 'X-Service-TEE-Encrypt-All-Fields'],
    schemes: MESSAGES,
    text: 'true: the enclave also encrypts logprobs, refusals and tool calls. Without it, the enclave would send them unencrypted, so the gateway refuses logprobs',
  },
  {
    names: ['Ehbp-Encapsulated-Key'],
    schemes: ['ehbp'],
    text: 'For a body encrypted with EHBP: the HPKE encapsulated key, 64 hexadecimal characters',
  },
  { names: ['X-Service-TEE-Model'], schemes: BODIES, text: 'The model, for a request whose whole body is encrypted' },
  {
    names: ['X-Service-TEE-Instance', 'X-Instance-Id'],
    schemes: ['ml-kem-768'],
    text: 'For a body encrypted with ML-KEM-768: the id of the instance, from its attestation',
  },
  {
    names: ['X-E2E-Stream'],
    schemes: ['ml-kem-768'],
    text: 'For a body encrypted with ML-KEM-768: true for a streamed answer, else false',
  },
  { names: ['X-Encrypt-Tool-Calls'], schemes: [], text: 'send X-Encrypt-All-Fields instead' },
  { names: ['X-Chute-Id'], schemes: [], text: 'name the model with X-Service-TEE-Model instead' },
  { names: ['X-E2E-Nonce'], schemes: [], text: 'the gateway gets the nonces of instances itself' },
  { names: ['X-E2E-Path'], schemes: [], text: 'the path of the request selects the endpoint' },
];

/**
 * Prefixes of encryption headers. The gateway refuses unknown names with these prefixes, because a misspelled header
 * would leave the request in plaintext.
 */
const PREFIXES = ['x-service-tee-', 'x-e2e-', 'ehbp-'] as const;

const BY_NAME: ReadonlyMap<string, EncryptionHeader> = new Map(
  ENCRYPTION_HEADERS.flatMap((header) => header.names.map((name) => [name.toLowerCase(), header] as const)),
);

/** Returns this gateway's names for the headers that a scheme accepts. */
export function headersOf(scheme: EncryptionScheme): string[] {
  return ENCRYPTION_HEADERS.filter(({ schemes }) => schemes.includes(scheme)).map(({ names: [name] }) => name);
}

/** Returns the names of all headers that at least one scheme accepts. */
export function takenHeaderNames(): string[] {
  return ENCRYPTION_HEADERS.filter(({ schemes }) => schemes.length > 0).flatMap(({ names }) => names);
}

/**
 * Finds an encryption header that the request must not have. If the gateway ignored the header, it would answer in
 * plaintext or with another key.
 *
 * @param names request's header names, lower case
 * @param schemes encryption schemes that the request may use; empty for plaintext
 * @returns a sentence about the first such header, or null
 */
export function misplacedHeader(names: Iterable<string>, schemes: readonly EncryptionScheme[]): string | null {
  for (const name of names) {
    const header = BY_NAME.get(name);
    if (header === undefined) {
      if (PREFIXES.some((prefix) => name.startsWith(prefix)))
        return `${name.slice(0, 100)} is not an encryption header that this gateway supports. Correct the name, or leave the header out.`;
    } else if (!header.schemes.some((scheme) => schemes.includes(scheme))) {
      return sentenceOf(header, header.names.find((each) => each.toLowerCase() === name) ?? name, schemes.length === 0);
    }
  }
  return null;
}

function sentenceOf({ schemes, text }: EncryptionHeader, name: string, isPlain: boolean): string {
  if (schemes.length === 0) return `${name} is not accepted: ${text}.`;
  if (isPlain)
    return `${name} belongs to encrypted requests (${schemes.join(', ')}), but this request is not encrypted. Send all headers of that encryption, or leave this one out.`;
  return `${name} belongs to ${schemes.join(', ')}, but the other headers of this request belong to another encryption. Leave it out.`;
}

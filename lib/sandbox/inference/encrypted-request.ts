import { bytesToHex } from '@noble/hashes/utils.js';
import { decryptContent, encryptContent } from '@/lib/protocol/e2ee/codec';
import { decryptWithEd25519, encryptToEd25519, parseEd25519Key } from '@/lib/protocol/e2ee/ed25519-codec';
import {
  ED25519_ALGORITHM,
  ED25519_ENCRYPTION_VERSION,
  ENCLAVE_E2EE_HEADERS,
  encryptsAllFields,
  ENCRYPTION_VERSION_HEADER,
} from '@/lib/protocol/e2ee/headers';
import { parseClientPublicKey, parseModelPublicKey } from '@/lib/protocol/e2ee/public-key';
import type { SimulatedEnclave } from '../enclave/enclave';
import type { ChatMessage, ChatRequest } from '../guide/chat-request';
import { Refusal } from '../http/refusal';

type HeaderOf = (name: string) => string | undefined;

interface OpenedRequest {
  request: ChatRequest;
  seal: (content: string) => string;
  /** True if the client wants every field of the answer encrypted, false for message contents only. */
  sealsAllFields: boolean;
}

const ENCRYPTED_ROLES: ReadonlySet<string> = new Set(['user', 'system']);

export function isEncrypted(header: HeaderOf): boolean {
  return (
    header(ENCLAVE_E2EE_HEADERS.clientPublicKey) !== undefined ||
    header(ENCLAVE_E2EE_HEADERS.modelPublicKey) !== undefined
  );
}

/**
 * Decrypts user and system messages with the enclave's secret key.
 *
 * @param algorithm algorithm of the enclave's keys: ecdsa or ed25519
 * @throws {Refusal} 400 with the protocol's message
 */
export function openRequest(
  request: ChatRequest,
  header: HeaderOf,
  enclave: SimulatedEnclave,
  algorithm: string,
): OpenedRequest {
  if (!request.isStream) throw refuse('E2EE_STREAMING', 'E2EE requires streaming');
  if (algorithm === ED25519_ALGORITHM && header(ENCRYPTION_VERSION_HEADER) !== ED25519_ENCRYPTION_VERSION)
    throw refuse('ENCRYPTION_VERSION', `X-Encryption-Version must be ${ED25519_ENCRYPTION_VERSION}.`);
  const { parseClientKey, parseModelKey, keysOf, encrypt, decrypt } = algorithm === ED25519_ALGORITHM ? ED25519 : ECDSA;
  const clientKey = parsed(() => parseClientKey(header(ENCLAVE_E2EE_HEADERS.clientPublicKey) ?? ''));
  const modelKey = parsed(() => parseModelKey(header(ENCLAVE_E2EE_HEADERS.modelPublicKey) ?? ''));
  const { publicKey, secretKey } = keysOf(enclave);
  if (bytesToHex(modelKey) !== bytesToHex(publicKey))
    throw refuse('MODEL_KEY_MISMATCH', 'X-Model-Pub-Key is not the key of this enclave: attest it again.');
  const messages = request.messages.map((message) => openMessage(message, (content) => decrypt(content, secretKey)));
  return {
    request: { ...request, messages },
    seal: (content) => encrypt(content, clientKey),
    sealsAllFields: encryptsAllFields(header) === true,
  };
}

const ECDSA = {
  parseClientKey: parseClientPublicKey,
  parseModelKey: parseModelPublicKey,
  keysOf: ({ publicKey, secretKey }: SimulatedEnclave) => ({ publicKey, secretKey }),
  encrypt: (text: string, key: Uint8Array) => encryptContent(text, key),
  decrypt: decryptContent,
};
const ED25519 = {
  parseClientKey: parseEd25519Key,
  parseModelKey: parseEd25519Key,
  keysOf: ({ ed25519Keys }: SimulatedEnclave) => ed25519Keys,
  encrypt: encryptToEd25519,
  decrypt: decryptWithEd25519,
};

function openMessage(message: ChatMessage, decrypt: (content: string) => string): ChatMessage {
  if (!ENCRYPTED_ROLES.has(message.role)) return message;
  if (typeof message.content !== 'string') throw refuse('E2EE_FIELD', 'Encrypted field is not valid hex');
  const { content } = message;
  return { ...message, content: parsed(() => decrypt(content)) };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw refuse('E2EE_FIELD', (error as Error).message);
  }
}

function refuse(code: string, message: string): Refusal {
  return new Refusal(400, code, message);
}

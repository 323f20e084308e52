import { bytesToHex } from '@noble/hashes/utils.js';
import { decryptContent, encryptContent } from '@/lib/protocol/e2ee/codec';
import { ENCLAVE_E2EE_HEADERS } from '@/lib/protocol/e2ee/headers';
import { parseClientPublicKey, parseModelPublicKey } from '@/lib/protocol/e2ee/public-key';
import type { SimulatedEnclave } from '../enclave/enclave';
import type { ChatMessage, ChatRequest } from '../guide/chat-request';
import { Refusal } from '../http/refusal';

export type HeaderOf = (name: string) => string | undefined;

/** An encrypted request as the enclave sees it inside. */
export interface OpenedRequest {
  request: ChatRequest;
  /** Encrypts to the client. */
  seal: (content: string) => string;
}

const ENCRYPTED_ROLES: ReadonlySet<string> = new Set(['user', 'system']);

/** Whether a request is encrypted, by its headers. */
export function isEncrypted(header: HeaderOf): boolean {
  return header(ENCLAVE_E2EE_HEADERS.clientPublicKey) !== undefined || header(ENCLAVE_E2EE_HEADERS.modelPublicKey) !== undefined;
}

/**
 * Decrypts the messages of users and the system with the enclave's secret.
 *
 * @throws {Refusal} 400 with the sentence that the protocol has for it
 */
export function openRequest(request: ChatRequest, header: HeaderOf, enclave: SimulatedEnclave): OpenedRequest {
  if (!request.isStream) throw refuse('E2EE_STREAMING', 'E2EE requires streaming');
  const clientKey = parsed(() => parseClientPublicKey(header(ENCLAVE_E2EE_HEADERS.clientPublicKey) ?? ''));
  const modelKey = parsed(() => parseModelPublicKey(header(ENCLAVE_E2EE_HEADERS.modelPublicKey) ?? ''));
  if (bytesToHex(modelKey) !== bytesToHex(enclave.publicKey)) throw refuse('MODEL_KEY_MISMATCH', 'X-Model-Pub-Key is not the key of this enclave: attest it again.');
  const messages = request.messages.map((message) => openMessage(message, enclave.secretKey));
  return { request: { ...request, messages }, seal: (content) => encryptContent(content, clientKey) };
}

function openMessage(message: ChatMessage, secretKey: Uint8Array): ChatMessage {
  if (!ENCRYPTED_ROLES.has(message.role)) return message;
  if (typeof message.content !== 'string') throw refuse('E2EE_FIELD', 'Encrypted field is not valid hex');
  const { content } = message;
  return { ...message, content: parsed(() => decryptContent(content, secretKey)) };
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

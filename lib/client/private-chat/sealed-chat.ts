import type { RecipientKey } from '@/lib/protocol/attestation/recipient-key';
import type { ChatToSeal, SealedChat } from './chat-to-seal';
import { sealRequest } from './sealed-request';

/**
 * Encrypts a conversation to an attested key, as enclaves with a key of that kind demand. Schemes other than the
 * specification's are loaded where they are used first.
 * @throws {PrivateChatError} NOTHING_TO_SEND
 */
export async function sealChat(
  chat: ChatToSeal,
  { algorithm, publicKey, instance }: RecipientKey,
): Promise<SealedChat> {
  if (algorithm === 'secp256k1') return sealRequest(chat.model, chat.messages, chat.parameters, publicKey);
  if (algorithm === 'ed25519') return (await import('./ed25519-request')).sealToEd25519(chat, publicKey);
  if (algorithm === 'ml-kem-768') return (await import('./ml-kem-body')).sealToMlKem(chat, publicKey, instance);
  return (await import('./whole-body')).sealWholeBody(chat, publicKey);
}

/**
 * How much of an answer under this scheme nobody can have made but who holds the key of the enclave, since what it is
 * encrypted with came encrypted to that key: all of it (`whole`), or each of its pieces (`pieces`), where nothing tells that
 * none is missing and none was moved. Null where a client's key is sent in the clear: anybody on the way can encrypt to
 * it, and only a signature tells whose an answer is.
 */
export function vouchesForAnswers(algorithm: RecipientKey['algorithm']): 'whole' | 'pieces' | null {
  if (algorithm === 'ml-kem-768') return 'pieces';
  return algorithm === 'x25519-hpke' ? 'whole' : null;
}

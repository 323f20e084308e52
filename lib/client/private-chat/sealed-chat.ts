import type { RecipientKey } from '@/lib/protocol/attestation/recipient-key';
import { type ChatToSeal, type SealedChat, sealRequest } from './sealed-request';

/**
 * Encrypts a conversation to an attested key, by that key's scheme.
 *
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
 * Returns how much the encryption proves about an answer. If the client's key for the answer is inside the encrypted
 * request, only the enclave can have encrypted the answer. `whole` proves the whole answer. `pieces` proves each piece,
 * but neither order nor completeness. Null if the client sends its key unencrypted, because any intermediary could
 * encrypt to that key.
 */
export function vouchesForAnswers(algorithm: RecipientKey['algorithm']): 'whole' | 'pieces' | null {
  if (algorithm === 'ml-kem-768') return 'pieces';
  return algorithm === 'x25519-hpke' ? 'whole' : null;
}

import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';
import type { RecipientKey } from '@/lib/protocol/attestation/recipient-key';
import type { CompletionRequest } from './completion-stream';
import { sealRequest } from './sealed-request';

/** What of a request encryption decides. */
export type SealedChat = Pick<CompletionRequest, 'bodyText' | 'body' | 'headers' | 'isEncrypted' | 'open' | 'openBody'>;

/** A conversation that is to go out encrypted. */
export interface ChatToSeal {
  model: string;
  messages: readonly ChatMessage[];
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Encrypts a conversation to an attested key, as enclaves with a key of that kind demand. Schemes other than the
 * specification's are loaded where they are used first.
 * @throws {PrivateChatError} NOTHING_TO_SEND
 */
export async function sealChat(chat: ChatToSeal, { algorithm, publicKey }: RecipientKey): Promise<SealedChat> {
  if (algorithm === 'secp256k1') return sealRequest(chat.model, chat.messages, chat.parameters, publicKey);
  if (algorithm === 'ed25519') return (await import('./ed25519-request')).sealToEd25519(chat, publicKey);
  return (await import('./whole-body')).sealWholeBody(chat, publicKey);
}

/**
 * Whether an answer under this scheme can be made by nobody but who holds the key of the enclave: what it is encrypted
 * with came encrypted to that key. Where a client's key is sent in the clear, anybody on the way can encrypt to it, and
 * only a signature tells whose an answer is.
 */
export function vouchesForAnswers(algorithm: RecipientKey['algorithm']): boolean {
  return algorithm === 'x25519-hpke';
}

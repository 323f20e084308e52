import { foldConversation, type PicturedMessage, textMessages } from '@/lib/protocol/chat/folded-conversation';
import { encryptContent, generateE2eeKeyPair, readReplyContent } from '@/lib/protocol/e2ee/codec';
import { E2eeError } from '@/lib/protocol/e2ee/e2ee-error';
import { ALL_FIELDS_HEADER, E2EE_HEADERS, E2EE_SIGNING_ALGORITHM } from '@/lib/protocol/e2ee/headers';
import { bytesToHex } from '@noble/hashes/utils.js';
import { completionBody } from './completion-body';
import type { CompletionRequest } from './completion-stream';
import { PrivateChatError } from './private-chat-error';

/** Parts of a request that depend on the encryption. */
export type SealedChat = Pick<
  CompletionRequest,
  'bodyText' | 'body' | 'headers' | 'isEncrypted' | 'open' | 'openBody' | 'endsInTheClear'
>;

export interface ChatToSeal {
  model: string;
  messages: readonly PicturedMessage[];
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Encrypts a conversation to the attested key, with a fresh client key per request. Parameters stay unencrypted.
 *
 * @throws {PrivateChatError} NOTHING_TO_SEND
 */
export function sealRequest(
  model: string,
  messages: readonly PicturedMessage[],
  parameters: Readonly<Record<string, unknown>> | undefined,
  modelKey: Uint8Array,
): Pick<CompletionRequest, 'bodyText' | 'headers' | 'isEncrypted' | 'open'> {
  const folded = foldConversation(textMessages(messages));
  if (folded === null) throw new PrivateChatError('NOTHING_TO_SEND');
  const client = generateE2eeKeyPair();
  const sealed = folded.map(({ role, content }) => ({ role, content: encryptContent(content, modelKey) }));
  return {
    bodyText: completionBody(model, sealed, parameters),
    headers: {
      [E2EE_HEADERS.clientPublicKey]: bytesToHex(client.publicKey),
      [E2EE_HEADERS.modelPublicKey]: bytesToHex(modelKey),
      [E2EE_HEADERS.signingAlgorithm]: E2EE_SIGNING_ALGORITHM,
      [ALL_FIELDS_HEADER]: 'true',
    },
    isEncrypted: true,
    open: (content) => openContent(content, client.secretKey),
  };
}

/**
 * Decrypts content of the reply.
 *
 * @param decrypt default: the specification's decryption
 * @throws {PrivateChatError} REPLY_NOT_ENCRYPTED, REPLY_NOT_DECRYPTABLE
 */
export function openContent(
  content: string,
  secretKey: Uint8Array,
  decrypt?: Parameters<typeof readReplyContent>[2],
): string {
  try {
    return readReplyContent(content, secretKey, decrypt);
  } catch (cause) {
    const isPlain = cause instanceof E2eeError && cause.fault === 'ENCRYPTED_FIELD_NOT_HEX';
    throw new PrivateChatError(isPlain ? 'REPLY_NOT_ENCRYPTED' : 'REPLY_NOT_DECRYPTABLE', null, null, { cause });
  }
}

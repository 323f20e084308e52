import { bytesToHex } from '@noble/hashes/utils.js';
import { encryptContent, type E2eeKeyPair, generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { E2eeError } from '@/lib/protocol/e2ee/e2ee-error';
import { E2EE_HEADERS, E2EE_SIGNING_ALGORITHM } from '@/lib/protocol/e2ee/headers';
import { readReplyContent } from '@/lib/protocol/e2ee/reply-content';
import type { ChatMessage } from './chat-event';
import { completionBody } from './completion-body';
import type { CompletionRequest } from './completion-stream';
import { foldConversation } from './conversation';
import { PrivateChatError } from './private-chat-error';

/**
 * Encrypts a conversation to the key that an attestation speaks for, under a client key that is made for this one
 * request. The parameters go out as they are.
 */
export function sealRequest(model: string, messages: readonly ChatMessage[], parameters: Readonly<Record<string, unknown>> | undefined, modelKey: Uint8Array): Pick<CompletionRequest, 'bodyText' | 'headers' | 'isEncrypted' | 'open'> {
  const client = generateE2eeKeyPair();
  const sealed = foldConversation(messages).map(({ role, content }) => ({ role, content: encryptContent(content, modelKey) }));
  return {
    bodyText: completionBody(model, sealed, parameters),
    headers: { [E2EE_HEADERS.clientPublicKey]: bytesToHex(client.publicKey), [E2EE_HEADERS.modelPublicKey]: bytesToHex(modelKey), [E2EE_HEADERS.signingAlgorithm]: E2EE_SIGNING_ALGORITHM },
    isEncrypted: true,
    open: (content) => openContent(content, client),
  };
}

function openContent(content: string, { secretKey }: E2eeKeyPair): string {
  try {
    return readReplyContent(content, secretKey);
  } catch (cause) {
    const isPlain = cause instanceof E2eeError && cause.fault === 'ENCRYPTED_FIELD_NOT_HEX';
    throw new PrivateChatError(isPlain ? 'REPLY_NOT_ENCRYPTED' : 'REPLY_NOT_DECRYPTABLE', null, null, { cause });
  }
}

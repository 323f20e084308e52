import { bytesToHex } from '@noble/hashes/utils.js';
import { foldConversation, textMessages } from '@/lib/protocol/chat/folded-conversation';
import { E2eeError } from '@/lib/protocol/e2ee/e2ee-error';
import { decryptWithEd25519, encryptToEd25519, generateEd25519KeyPair } from '@/lib/protocol/e2ee/ed25519-codec';
import {
  ALL_FIELDS_HEADER,
  E2EE_HEADERS,
  ED25519_ALGORITHM,
  ED25519_ENCRYPTION_VERSION,
  ENCRYPTION_VERSION_HEADER,
} from '@/lib/protocol/e2ee/headers';
import { completionBody } from './completion-body';
import { PrivateChatError } from './private-chat-error';
import { type ChatToSeal, openContent, type SealedChat } from './sealed-request';

/**
 * Encrypts each message of a conversation to an ed25519 key, with a fresh client key per request. Roles and headers are
 * as in `sealRequest`. Parameters stay unencrypted.
 *
 * @throws {PrivateChatError} NOTHING_TO_SEND; ATTESTATION_NOT_CHECKABLE for an unusable key
 */
export function sealToEd25519({ model, messages, parameters }: ChatToSeal, publicKey: Uint8Array): SealedChat {
  const folded = foldConversation(textMessages(messages));
  if (folded === null) throw new PrivateChatError('NOTHING_TO_SEND');
  const client = generateEd25519KeyPair();
  const sealed = folded.map(({ role, content }) => ({ role, content: encrypted(content, publicKey) }));
  return {
    bodyText: completionBody(model, sealed, parameters),
    headers: {
      [E2EE_HEADERS.clientPublicKey]: bytesToHex(client.publicKey),
      [E2EE_HEADERS.modelPublicKey]: bytesToHex(publicKey),
      [E2EE_HEADERS.signingAlgorithm]: ED25519_ALGORITHM,
      [ENCRYPTION_VERSION_HEADER]: ED25519_ENCRYPTION_VERSION,
      [ALL_FIELDS_HEADER]: 'true',
    },
    isEncrypted: true,
    open: (content) => openContent(content, client.secretKey, decryptWithEd25519),
  };
}

function encrypted(content: string, publicKey: Uint8Array): string {
  try {
    return encryptToEd25519(content, publicKey);
  } catch (cause) {
    throw cause instanceof E2eeError
      ? new PrivateChatError('ATTESTATION_NOT_CHECKABLE', 'The client cannot encrypt to the attested key.', null, {
          cause,
        })
      : cause;
  }
}

import { bytesToHex } from '@noble/hashes/utils.js';
import { INSTANCE_HEADER, MlKemError, type MlKemFault, STREAM_HEADER } from '@/lib/protocol/e2ee/ml-kem/format';
import { AnswerOpener, sealBody } from '@/lib/protocol/e2ee/ml-kem/sender';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { SEALED_MODEL_HEADER } from '@/lib/protocol/e2ee/headers';
import { completionBody } from './completion-body';
import type { BodyOpener } from './completion-stream';
import { PrivateChatError, type PrivateChatFault } from './private-chat-error';
import type { ChatToSeal, SealedChat } from './sealed-request';

/**
 * Encrypts a whole chat to an instance's ML-KEM-768 key. The ids of model and instance, all lengths, and the answer's
 * token count stay unencrypted.
 *
 * @param publicKey 1,184 bytes
 * @param instance the instance's name in the attestation
 * @throws {PrivateChatError} NOTHING_TO_SEND; ATTESTATION_NOT_CHECKABLE for an unusable key or an unnamed instance
 */
export function sealToMlKem(
  { model, messages, parameters }: ChatToSeal,
  publicKey: Uint8Array,
  instance: string | null,
): SealedChat {
  if (messages.findLast(({ role }) => role !== 'system')?.role !== 'user')
    throw new PrivateChatError('NOTHING_TO_SEND');
  if (instance === null)
    throw new PrivateChatError(
      'ATTESTATION_NOT_CHECKABLE',
      'The attestation does not identify the instance of the attested key.',
    );
  const { body, secretKey } = sealed(
    JSON.parse(completionBody(model, messages, parameters)) as Record<string, unknown>,
    publicKey,
  );
  return {
    body,
    bodyText: bytesToHex(body),
    headers: {
      'content-type': 'application/octet-stream',
      [SEALED_MODEL_HEADER]: model,
      [INSTANCE_HEADER]: instance,
      [STREAM_HEADER]: 'true',
    },
    isEncrypted: true,
    endsInTheClear: true,
    open: (content) => content,
    openBody: (header) => {
      if (!isEventStream(header('content-type'))) throw new PrivateChatError('REPLY_NOT_ENCRYPTED');
      return openerOf(new AnswerOpener(secretKey));
    },
  };
}

function sealed(request: Record<string, unknown>, publicKey: Uint8Array): ReturnType<typeof sealBody> {
  try {
    return sealBody(request, publicKey);
  } catch (cause) {
    throw cause instanceof MlKemError
      ? new PrivateChatError('ATTESTATION_NOT_CHECKABLE', 'The client cannot encrypt to the attested key.', null, {
          cause,
        })
      : cause;
  }
}

const FAULTS: Readonly<Record<MlKemFault, PrivateChatFault>> = {
  INVALID_KEY: 'REPLY_NOT_DECRYPTABLE',
  NOT_DECRYPTABLE: 'REPLY_NOT_DECRYPTABLE',
  NOT_ENCRYPTED: 'REPLY_NOT_ENCRYPTED',
  TRUNCATED: 'REPLY_CUT',
  TOO_LONG: 'REPLY_TOO_LONG',
};

function openerOf(opener: AnswerOpener): BodyOpener {
  return { push: (bytes) => faultsTold(() => opener.push(bytes)), end: () => faultsTold(() => opener.end()) };
}

function faultsTold<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw cause instanceof MlKemError ? new PrivateChatError(FAULTS[cause.fault], null, null, { cause }) : cause;
  }
}

import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { EhbpError } from '@/lib/protocol/e2ee/ehbp/format';
import { AnswerOpener, sealBody } from '@/lib/protocol/e2ee/ehbp/sender';
import { SEALED_MODEL_HEADER } from '@/lib/protocol/e2ee/headers';
import { completionBody } from './completion-body';
import type { BodyOpener } from './completion-stream';
import { PrivateChatError, type PrivateChatFault } from './private-chat-error';
import type { ChatToSeal, SealedChat } from './sealed-request';

/**
 * Encrypts a whole chat request with EHBP. The model's id and all lengths stay unencrypted.
 *
 * @param publicKey X25519, 32 bytes
 * @throws {PrivateChatError} NOTHING_TO_SEND; ATTESTATION_NOT_CHECKABLE for an unusable key
 */
export async function sealWholeBody(
  { model, messages, parameters }: ChatToSeal,
  publicKey: Uint8Array,
): Promise<SealedChat> {
  if (messages.findLast(({ role }) => role !== 'system')?.role !== 'user')
    throw new PrivateChatError('NOTHING_TO_SEND');
  const sealed = await sealText(model, completionBody(model, messages, parameters), publicKey);
  return { ...sealed, bodyText: bytesToHex(sealed.body), isEncrypted: true, open: (content) => content };
}

/** Encrypts the body of any request. The model's id stays unencrypted. @throws {PrivateChatError} */
export async function sealText(model: string, text: string, publicKey: Uint8Array) {
  const { body, headers, secrets } = await sealBody(utf8ToBytes(text), publicKey).catch((cause: unknown) => {
    throw new PrivateChatError('ATTESTATION_NOT_CHECKABLE', 'The client cannot encrypt to the attested key.', null, {
      cause,
    });
  });
  return {
    body,
    headers: { ...headers, [SEALED_MODEL_HEADER]: model },
    openBody: (header: (name: string) => string | null) => openerOf(() => new AnswerOpener(secrets, header)),
  };
}

const NOTHING: readonly Uint8Array[] = [];

/** Faults for specific EHBP errors. All other errors mean that the body does not decrypt. */
const FAULTS: Partial<Record<EhbpError['fault'], PrivateChatFault>> = {
  MISSING_RESPONSE_NONCE: 'REPLY_NOT_ENCRYPTED',
  FRAMING_TRUNCATED: 'REPLY_CUT',
  CHUNK_TOO_LARGE: 'REPLY_TOO_LONG',
};

function openerOf(make: () => AnswerOpener): BodyOpener {
  const opener = faultsTold(make);
  const end = () => {
    faultsTold(() => opener.end());
    return NOTHING;
  };
  return { push: (bytes) => faultsTold(() => opener.push(bytes)), end };
}

function faultsTold<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof EhbpError)) throw cause;
    throw new PrivateChatError(FAULTS[cause.fault] ?? 'REPLY_NOT_DECRYPTABLE', null, null, { cause });
  }
}

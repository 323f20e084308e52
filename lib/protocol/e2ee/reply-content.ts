import { decryptContent } from './codec';

const WHITE_SPACE_ONLY = /^\s*$/;

/**
 * Reads `choices[0].delta.content` of an encrypted stream. The specification calls short or non-hex content plain
 * text; that would let anybody between enclave and client speak in the enclave's name, so only empty and
 * white-space content is taken as it is, and everything else must decrypt.
 *
 * @param decrypt of another scheme than the specification's
 * @throws {E2eeError} for plain text and for what does not decrypt: the stream must not be shown any further
 */
export function readReplyContent(content: string, secretKey: Uint8Array, decrypt = decryptContent): string {
  return WHITE_SPACE_ONLY.test(content) ? content : decrypt(content, secretKey);
}

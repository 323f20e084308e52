import { decryptContent } from './codec';

const WHITE_SPACE_ONLY = /^\s*$/;

/**
 * Decrypts `choices[0].delta.content` of an encrypted stream. The specification treats short or non-hex content as
 * plaintext, so an intermediary could forge the enclave's words. Therefore only empty and white-space content passes
 * unencrypted.
 *
 * @param decrypt decryption of the model's scheme. Default: the scheme of the specification
 * @throws {E2eeError} for plaintext or undecryptable content; the caller must show no more of the stream
 */
export function readReplyContent(content: string, secretKey: Uint8Array, decrypt = decryptContent): string {
  return WHITE_SPACE_ONLY.test(content) ? content : decrypt(content, secretKey);
}

import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { EhbpError } from './ehbp-error';
import { isEhbpHeaderValue } from './ehbp-headers';
import { FrameReader } from './frames';
import type { ResponseSecrets } from './response-cipher';
import { EHBP_SUITE, KEY_BYTES, REQUEST_INFO, RESPONSE_LABEL } from './suite';

/** Decrypted request body, and the secrets that encrypt its answer. */
interface OpenedBody {
  body: Uint8Array;
  secrets: ResponseSecrets;
}

/**
 * Decrypts a request body as a server does (EHBP specification, 5.2). Only the simulator and tests use it.
 *
 * @param encapsulatedKey header value as received
 * @param secretKey X25519, 32 bytes
 * @throws {EhbpError} INVALID_ENCAPSULATED_KEY, HPKE_SETUP_FAILED, FRAMING_TRUNCATED, CHUNK_TOO_LARGE,
 *   AEAD_DECRYPT_FAILED
 */
export async function openBody(body: Uint8Array, encapsulatedKey: string, secretKey: Uint8Array): Promise<OpenedBody> {
  if (!isEhbpHeaderValue(encapsulatedKey))
    throw new EhbpError('INVALID_ENCAPSULATED_KEY', `The encapsulated key is not ${KEY_BYTES} bytes of hex.`);
  const encapsulated = hexToBytes(encapsulatedKey.toLowerCase());
  const context = await contextOf(encapsulated, secretKey);
  const frames = new FrameReader();
  const ciphertexts = frames.push(body);
  frames.end();
  const plain: Uint8Array[] = [];
  for (const ciphertext of ciphertexts)
    plain.push(
      await context
        .Open(ciphertext)
        .catch((cause: unknown) => refuse('AEAD_DECRYPT_FAILED', 'The body does not decrypt.', cause)),
    );
  return {
    body: concatBytes(...plain),
    secrets: { exportedSecret: await context.Export(RESPONSE_LABEL, KEY_BYTES), encapsulatedKey: encapsulated },
  };
}

async function contextOf(encapsulated: Uint8Array, secretKey: Uint8Array) {
  try {
    const key = await EHBP_SUITE.DeserializePrivateKey(secretKey, true);
    return await EHBP_SUITE.SetupRecipient(key, encapsulated, { info: REQUEST_INFO });
  } catch (cause) {
    return refuse('HPKE_SETUP_FAILED', 'The encapsulated key is not a valid X25519 key.', cause);
  }
}

function refuse(fault: 'AEAD_DECRYPT_FAILED' | 'HPKE_SETUP_FAILED', detail: string, cause: unknown): never {
  throw new EhbpError(fault, detail, { cause });
}

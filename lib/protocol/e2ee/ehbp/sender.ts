import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { EHBP_HEADER_NAMES, EHBP_HEADERS, EhbpError, isEhbpHeaderValue } from './format';
import { FrameReader, frameOf } from './frames';
import { EHBP_SUITE, KEY_BYTES, REQUEST_INFO, RESPONSE_LABEL, ResponseCipher, type ResponseSecrets } from './suite';

/** Encrypted request, and the secrets that decrypt its answer. */
interface SealedBody {
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
  secrets: ResponseSecrets;
}

/**
 * Encrypts a request body to a server's key (EHBP specification, 5.1), in one frame with a fresh HPKE context.
 *
 * @param body must not be empty, because only a request with a body gets an encrypted answer (7.4)
 * @param publicKey X25519, 32 bytes
 * @throws {EhbpError} INVALID_INPUT, HPKE_SETUP_FAILED
 */
export async function sealBody(body: Uint8Array, publicKey: Uint8Array): Promise<SealedBody> {
  if (body.length === 0) throw new EhbpError('INVALID_INPUT', 'An empty body cannot be encrypted.');
  if (publicKey.length !== KEY_BYTES)
    throw new EhbpError('INVALID_INPUT', `The key of the server is not ${KEY_BYTES} bytes.`);
  try {
    const recipient = await EHBP_SUITE.DeserializePublicKey(publicKey);
    const { encapsulatedSecret, ctx } = await EHBP_SUITE.SetupSender(recipient, { info: REQUEST_INFO });
    const sealed = await ctx.Seal(body);
    const exportedSecret = await ctx.Export(RESPONSE_LABEL, KEY_BYTES);
    return {
      body: frameOf(sealed),
      headers: { [EHBP_HEADER_NAMES.encapsulatedKey]: bytesToHex(encapsulatedSecret) },
      secrets: { exportedSecret, encapsulatedKey: encapsulatedSecret },
    };
  } catch (cause) {
    throw new EhbpError('HPKE_SETUP_FAILED', 'The body could not be encrypted to this key.', { cause });
  }
}

export class AnswerOpener {
  readonly #frames = new FrameReader();
  readonly #cipher: ResponseCipher;

  /** @throws {EhbpError} MISSING_RESPONSE_NONCE for a plaintext answer; INVALID_RESPONSE_NONCE */
  constructor(secrets: ResponseSecrets, header: (name: string) => string | null) {
    const nonce = header(EHBP_HEADERS.responseNonce);
    if (nonce === null) throw new EhbpError('MISSING_RESPONSE_NONCE', 'The answer is not encrypted.');
    if (!isEhbpHeaderValue(nonce))
      throw new EhbpError('INVALID_RESPONSE_NONCE', `The nonce of the answer is not ${KEY_BYTES} bytes of hex.`);
    this.#cipher = new ResponseCipher(secrets, hexToBytes(nonce.toLowerCase()));
  }

  /**
   * @returns plaintext of every completed frame
   * @throws {EhbpError} for modified bytes; the caller must read no further
   */
  push(bytes: Uint8Array): Uint8Array[] {
    return this.#frames.push(bytes).map((ciphertext) => this.#cipher.open(ciphertext));
  }

  /**
   * Ends the answer. Detects an answer that was cut inside a frame, but not one that was cut between frames.
   *
   * @throws {EhbpError} FRAMING_TRUNCATED
   */
  end(): void {
    this.#frames.end();
  }
}

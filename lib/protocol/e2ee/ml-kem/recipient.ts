import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { gunzip, storedGzip } from './gzip';
import { CAPSULE_BYTES, MlKemError, PUBLIC_KEY_BYTES } from './format';
import { keyFrom, keyTo, openPiece, sealPiece } from './pieces';
import { ANSWER_KEY_MEMBER } from './sender';

interface OpenedBody {
  /** Request without the member that contains `answerKey`. */
  request: Record<string, unknown>;
  answerKey: Uint8Array;
}

/**
 * Decrypts a request as a Chutes instance does. Only the simulator and tests use it.
 *
 * @param bytesMax maximum size of the plaintext
 * @throws {MlKemError} NOT_DECRYPTABLE, TOO_LONG
 */
export async function openBody(body: Uint8Array, secretKey: Uint8Array, bytesMax: number): Promise<OpenedBody> {
  const key = keyFrom(body.subarray(0, CAPSULE_BYTES), secretKey, 'request');
  const json = await gunzip(openPiece(body.subarray(CAPSULE_BYTES), key), bytesMax);
  const { [ANSWER_KEY_MEMBER]: answerKey, ...request } = objectOf(json);
  return { request, answerKey: answerKeyOf(answerKey) };
}

/** Encrypts one answer to the key in its request, in Chutes' event format. */
export class AnswerSealer {
  readonly #key: Uint8Array;
  readonly beginning: string;

  /** @throws {MlKemError} INVALID_KEY */
  constructor(answerKey: Uint8Array) {
    const { key, capsule } = keyTo(answerKey, 'stream');
    this.#key = key;
    this.beginning = eventOf({ e2e_init: base64.encode(capsule) });
  }

  /** Encrypts an event and wraps it in an outer event. */
  piece(text: string): string {
    return eventOf({ e2e: base64.encode(sealPiece(utf8ToBytes(text), this.#key)) });
  }
}

/**
 * Encrypts a whole answer to `capsule ‖ nonce ‖ ciphertext ‖ tag`.
 *
 * @throws {MlKemError} INVALID_KEY
 */
export function sealWholeAnswer(text: string, answerKey: Uint8Array): Uint8Array {
  const { key, capsule } = keyTo(answerKey, 'answer');
  return concatBytes(capsule, sealPiece(storedGzip(utf8ToBytes(text)), key));
}

/** Formats an unencrypted event, such as usage. */
export function eventOf(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  } catch {
    // Bytes that are not JSON cause the error below.
  }
  throw new MlKemError('NOT_DECRYPTABLE', 'The decrypted text is not a JSON object.');
}

function answerKeyOf(text: unknown): Uint8Array {
  try {
    const key = base64.decode(text as string);
    if (key.length === PUBLIC_KEY_BYTES) return key;
  } catch {
    // A missing or malformed key causes the error below.
  }
  throw new MlKemError('NOT_DECRYPTABLE', `The request has no ${ANSWER_KEY_MEMBER}.`);
}

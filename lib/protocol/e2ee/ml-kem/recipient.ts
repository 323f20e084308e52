import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { gunzip, storedGzip } from './gzip';
import { MlKemError } from './ml-kem-error';
import { keyFrom, keyTo, openPiece, sealPiece } from './pieces';
import { ANSWER_KEY_MEMBER } from './sender';
import { CAPSULE_BYTES, PUBLIC_KEY_BYTES } from './sizes';

/** A request in plain text, and the key that its answer is to be encrypted to. */
export interface OpenedBody {
  /** Without that key. */
  request: Record<string, unknown>;
  answerKey: Uint8Array;
}

/**
 * Decrypts a request as an instance does. For the simulator and for tests: whoever runs an enclave decrypts in it.
 *
 * @param bytesMax of the request in plain text
 * @throws {MlKemError} NOT_DECRYPTABLE, TOO_LONG
 */
export async function openBody(body: Uint8Array, secretKey: Uint8Array, bytesMax: number): Promise<OpenedBody> {
  const key = keyFrom(body.subarray(0, CAPSULE_BYTES), secretKey, 'request');
  const json = await gunzip(openPiece(body.subarray(CAPSULE_BYTES), key), bytesMax);
  const { [ANSWER_KEY_MEMBER]: answerKey, ...request } = objectOf(json);
  return { request, answerKey: answerKeyOf(answerKey) };
}

/** Encrypts one answer to the key that came in its request, in the form of the family's events. */
export class AnswerSealer {
  readonly #key: Uint8Array;
  /** The event with which a stream begins. */
  readonly beginning: string;

  /** @throws {MlKemError} INVALID_KEY */
  constructor(answerKey: Uint8Array) {
    const { key, capsule } = keyTo(answerKey, 'stream');
    this.#key = key;
    this.beginning = eventOf({ e2e_init: base64.encode(capsule) });
  }

  /** An event that holds another. */
  piece(text: string): string {
    return eventOf({ e2e: base64.encode(sealPiece(utf8ToBytes(text), this.#key)) });
  }
}

/** An answer that is not streamed, as one: `capsule ‖ nonce ‖ ciphertext ‖ tag`. @throws {MlKemError} INVALID_KEY */
export function sealWholeAnswer(text: string, answerKey: Uint8Array): Uint8Array {
  const { key, capsule } = keyTo(answerKey, 'answer');
  return concatBytes(capsule, sealPiece(storedGzip(utf8ToBytes(text)), key));
}

/** An event in the clear, as the family has those that tell usage. */
export function eventOf(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new MlKemError('NOT_DECRYPTABLE', 'What was encrypted is no JSON object.');
}

function answerKeyOf(text: unknown): Uint8Array {
  try {
    const key = base64.decode(text as string);
    if (key.length === PUBLIC_KEY_BYTES) return key;
  } catch {
    // Said below.
  }
  throw new MlKemError('NOT_DECRYPTABLE', `The request has no ${ANSWER_KEY_MEMBER}.`);
}

import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { isDone } from '../../chat/event-mark';
import { dataOf } from '../../event-stream/event-stream-reader';
import { type AnswerEvent, AnswerEventReader } from './answer-events';
import { storedGzip } from './gzip';
import { MlKemError, NONCE_BYTES } from './format';
import { generateMlKemKeyPair, keyFrom, keyTo, openPiece, sealPiece } from './pieces';

/** Request member with the public key for the answer, base64. */
export const ANSWER_KEY_MEMBER = 'e2e_response_pk';

/** Encrypted request, and the secret key that decrypts its answer. */
interface SealedBody {
  body: Uint8Array;
  secretKey: Uint8Array;
}

/**
 * Encrypts a request to an instance's key: `capsule ‖ nonce ‖ ciphertext ‖ tag`. The encrypted JSON includes a fresh
 * public key for the answer.
 *
 * @param publicKey ML-KEM-768 key, 1,184 bytes
 * @throws {MlKemError} INVALID_KEY
 */
export function sealBody(request: Readonly<Record<string, unknown>>, publicKey: Uint8Array): SealedBody {
  const { key, capsule } = keyTo(publicKey, 'request');
  const answer = generateMlKemKeyPair();
  const json = JSON.stringify({ ...request, [ANSWER_KEY_MEMBER]: base64.encode(answer.publicKey) });
  return { body: concatBytes(capsule, sealPiece(storedGzip(utf8ToBytes(json)), key)), secretKey: answer.secretKey };
}

const DONE = 'data: [DONE]';

/**
 * Decrypts a streamed answer as it arrives. Returns the decrypted events, unencrypted usage and errors, and `[DONE]`.
 * Only the request's recipient can have encrypted the events, because the public key for the answer is in the encrypted
 * request. Refuses repeated events. Cannot detect that an intermediary reordered or dropped events, because they have
 * random nonces instead of a counter.
 */
export class AnswerOpener {
  readonly #events = new AnswerEventReader();
  readonly #nonces = new Set<string>();
  #key: Uint8Array | null = null;
  /** True after an encrypted end event. */
  #hasEnded = false;
  /** True after an unencrypted `[DONE]`. */
  #isDone = false;

  constructor(private readonly secretKey: Uint8Array) {}

  /**
   * @returns plaintext of events that end within these bytes
   * @throws {MlKemError} for modified bytes; the caller must read no further
   */
  push(bytes: Uint8Array): Uint8Array[] {
    return this.#events.push(bytes).flatMap((event) => this.#open(event));
  }

  /**
   * @returns `[DONE]` if an encrypted event announced the end and no plain `[DONE]` followed
   * @throws {MlKemError} TRUNCATED if the stream ends within an event
   */
  end(): Uint8Array[] {
    const last = this.#events.end().flatMap((event) => this.#open(event));
    return this.#hasEnded && !this.#isDone ? [...last, utf8ToBytes(`${DONE}\n\n`)] : last;
  }

  #open(event: AnswerEvent): Uint8Array[] {
    switch (event.kind) {
      case 'init':
        if (this.#key !== null) throw new MlKemError('NOT_DECRYPTABLE', 'The answer begins twice.');
        this.#key = keyFrom(decoded(event.capsule), this.secretKey, 'stream');
        return [];
      case 'piece':
        return this.#piece(decoded(event.sealed));
      case 'usage':
        return event.usage === null
          ? []
          : [
              eventText({
                choices: [],
                usage: { prompt_tokens: event.usage.promptTokens, completion_tokens: event.usage.completionTokens },
              }),
            ];
      case 'error':
        return [eventText({ error: event.error })];
      case 'done':
        this.#isDone = true;
        return [utf8ToBytes(`${DONE}\n\n`)];
      case 'plain':
        throw new MlKemError('NOT_ENCRYPTED', 'The answer has an unencrypted event.');
    }
  }

  #piece(piece: Uint8Array): Uint8Array[] {
    const nonce = base64.encode(piece.subarray(0, NONCE_BYTES));
    if (this.#key === null || this.#hasEnded || this.#nonces.has(nonce))
      throw new MlKemError('NOT_DECRYPTABLE', 'The answer has an encrypted chunk in an unexpected place.');
    const plain = openPiece(piece, this.#key);
    this.#nonces.add(nonce);
    // `end` returns the end event later, because usage may follow.
    this.#hasEnded = isDone(dataOf(new TextDecoder().decode(plain)) ?? '');
    return this.#hasEnded ? [] : [plain, utf8ToBytes('\n\n')];
  }
}

function eventText(json: object): Uint8Array {
  return utf8ToBytes(`data: ${JSON.stringify(json)}\n\n`);
}

function decoded(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch (cause) {
    throw new MlKemError('NOT_DECRYPTABLE', 'The ciphertext is not valid base64.', { cause });
  }
}

import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { isDone } from '../../chat/event-mark';
import { dataOf } from '../../event-stream/event-stream-reader';
import { type AnswerEvent, AnswerEventReader } from './answer-events';
import { storedGzip } from './gzip';
import { MlKemError } from './ml-kem-error';
import { generateMlKemKeyPair, keyFrom, keyTo, openPiece, sealPiece } from './pieces';
import { NONCE_BYTES } from './sizes';

/** The member of a request that holds the key, in base64, to which its answer is encrypted. */
export const ANSWER_KEY_MEMBER = 'e2e_response_pk';

/** A request that only the holder of a key can read. */
export interface SealedBody {
  body: Uint8Array;
  /** What its answer is opened with: the secret of a key that nobody but that holder has seen. */
  secretKey: Uint8Array;
}

/**
 * Encrypts a request to an instance's key: `capsule ‖ nonce ‖ ciphertext ‖ tag` over its JSON, with a key in it that is made
 * for the answer to this request alone.
 *
 * @param publicKey ML-KEM-768, 1,184 bytes
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
 * Opens a streamed answer as it comes. What it gives are the events that were encrypted, the count of tokens that stands
 * beside them in the clear, an error in the clear, and `[DONE]`.
 *
 * Every piece was made by somebody to whom the request was readable: the key that pieces are encrypted with came
 * encapsulated to a key that stands in the request alone. A piece that comes again is refused. That none is missing, and
 * that they are in their order, nothing in this encryption says: each has a nonce of its own, drawn at random.
 */
export class AnswerOpener {
  readonly #events = new AnswerEventReader();
  readonly #nonces = new Set<string>();
  #key: Uint8Array | null = null;
  /** What was encrypted has told of its end. */
  #hasEnded = false;
  /** And so has an event in the clear. */
  #isDone = false;

  constructor(private readonly secretKey: Uint8Array) {}

  /** Takes the next bytes. @returns plain text of what they complete @throws {MlKemError} for what was touched on its way: nothing after it may be read */
  push(bytes: Uint8Array): Uint8Array[] {
    return this.#events.push(bytes).flatMap((event) => this.#open(event));
  }

  /** Ends the answer. @returns its end, where only what was encrypted has told of it @throws {MlKemError} TRUNCATED within an event */
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
        throw new MlKemError('NOT_ENCRYPTED', 'The answer has an event in the clear.');
    }
  }

  #piece(piece: Uint8Array): Uint8Array[] {
    const nonce = base64.encode(piece.subarray(0, NONCE_BYTES));
    if (this.#key === null || this.#hasEnded || this.#nonces.has(nonce))
      throw new MlKemError('NOT_DECRYPTABLE', 'The answer has a piece where none can be.');
    const plain = openPiece(piece, this.#key);
    this.#nonces.add(nonce);
    // Its own end is told when all has come: a count of tokens may stand after it.
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
    throw new MlKemError('NOT_DECRYPTABLE', 'It is not in base64.', { cause });
  }
}

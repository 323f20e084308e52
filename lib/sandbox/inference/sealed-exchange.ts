import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { EHBP_HEADERS, EHBP_KEY_PROBLEM, EhbpError } from '@/lib/protocol/e2ee/ehbp/format';
import { frameOf } from '@/lib/protocol/e2ee/ehbp/frames';
import { openBody } from '@/lib/protocol/e2ee/ehbp/recipient';
import { RESPONSE_NONCE_BYTES, ResponseCipher } from '@/lib/protocol/e2ee/ehbp/suite';
import { USAGE_HEADER } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { pacedWrite } from '../http/paced-write';
import { Refusal } from '../http/refusal';

const KEY_CONFIG_STATUS = 422;

/** Token counts for an encrypted answer, in the format of Tinfoil's usage header. */
interface ToldUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  model: string;
}

interface SealedExchange {
  body: Buffer;
  answer: SealedAnswer;
}

/**
 * Decrypts a request whose whole body is encrypted.
 *
 * @returns null if `secretKey` cannot decrypt the body. This function has then answered the client in plain text, as
 * the protocol requires.
 * @throws {Refusal} 400 if the body is malformed; the message gives no reason
 */
export async function openSealed(
  bytes: Uint8Array,
  encapsulatedKey: string,
  secretKey: Uint8Array,
  response: ServerResponse,
): Promise<SealedExchange | null> {
  try {
    const { body, secrets } = await openBody(bytes, encapsulatedKey, secretKey);
    const nonce = randomBytes(RESPONSE_NONCE_BYTES);
    return {
      body: Buffer.from(body),
      answer: new SealedAnswer(response, new ResponseCipher(secrets, nonce), nonce.toString('hex')),
    };
  } catch (error) {
    if (!(error instanceof EhbpError)) throw error;
    if (error.fault !== 'AEAD_DECRYPT_FAILED') throw new Refusal(400, 'EHBP', 'The encrypted body cannot be read.');
    response
      .writeHead(KEY_CONFIG_STATUS, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: EHBP_KEY_PROBLEM, title: 'key configuration mismatch' }));
    return null;
  }
}

/** Writes an encrypted answer for one client, one frame per part. */
export class SealedAnswer {
  constructor(
    private readonly response: ServerResponse,
    private readonly cipher: ResponseCipher,
    private readonly nonce: string,
  ) {}

  /** Sends a complete answer. @param usage usage for the header; null for no header */
  sendWhole(status: number, text: string, usage: ToldUsage | null = null): void {
    this.response.writeHead(status, {
      'content-type': 'application/json',
      [EHBP_HEADERS.responseNonce]: this.nonce,
      ...(usage && { [USAGE_HEADER]: usageText(usage) }),
    });
    this.response.end(frameOf(this.cipher.seal(Buffer.from(text))));
  }

  /** Begins a stream. @param tellsUsage true if `endStream` will send the usage in a trailer */
  beginStream(tellsUsage: boolean): void {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      [EHBP_HEADERS.responseNonce]: this.nonce,
      ...(tellsUsage && { trailer: USAGE_HEADER }),
    });
  }

  /** @returns false if the reader has disconnected */
  write(text: string): Promise<boolean> {
    return pacedWrite(this.response, frameOf(this.cipher.seal(Buffer.from(text))));
  }

  endStream(usage: ToldUsage | null): void {
    if (usage) this.response.addTrailers({ [USAGE_HEADER]: usageText(usage) });
    this.response.end();
  }
}

function usageText({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: total,
  model,
}: ToldUsage): string {
  return `prompt=${prompt},completion=${completion},total=${total},model=${model}`;
}

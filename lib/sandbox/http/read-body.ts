import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal';

/** Largest body that the gateway's configuration allows. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

const FORMS = { 'application/json': 'JSON', 'application/octet-stream': 'bytes' } as const;

/**
 * Reads the request's body without parsing it. Requires the content type `mediaType`. Before a page of another origin
 * sends that type, browsers ask the server for permission (CORS preflight). The sandbox never gives this permission, so
 * other pages cannot change this machine's chains.
 *
 * @throws {Refusal} 415 for another content type, 413 beyond `bytesMax`, 400 for an empty or incomplete body
 */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number = BODY_BYTES_MAX,
  mediaType: keyof typeof FORMS = 'application/json',
): Promise<Buffer> {
  const contentType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (contentType !== mediaType) {
    throw new Refusal(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be ${FORMS[mediaType]}, sent with "Content-Type: ${mediaType}".`,
      { connection: 'close' },
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Without this option, leaving the loop early destroys the connection before the refusal is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, 'BODY_BROKEN_OFF', 'The body ended early.', { connection: 'close' });
  }
  if (bytes === 0) throw new Refusal(400, 'EMPTY_BODY', 'The body is empty.');
  return Buffer.concat(chunks, bytes);
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(413, 'BODY_TOO_LARGE', `The body is larger than ${bytesMax} bytes.`, { connection: 'close' });
}

import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { recordExchange } from './wire-recording';

/**
 * Request that is sent exactly as stated. The path is not normalized. Only Host and the headers of the body are added.
 */
export interface Question {
  method: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** Sends the body in chunks, without a Content-Length. */
  chunked?: boolean;
}

/** An answer, whole. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Returns the body as JSON. Throws if it is not JSON. */
  json: unknown;
  elapsedMs: number;
}

const agent = new Agent({ keepAlive: true });
const TIMEOUT_MS = 25_000;

/** Sends a request to a port of the loopback address. @throws Error if no answer comes. */
export async function exchange(port: number, question: Question): Promise<Answer> {
  const answer = await send(port, question);
  recordExchange(question, answer);
  return answer;
}

function send(port: number, { method, path, headers = {}, body, chunked = false }: Question): Promise<Answer> {
  const startedAt = performance.now();
  const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, ...length },
      agent,
      timeout: TIMEOUT_MS,
    });
    request.once('timeout', () =>
      request.destroy(new Error(`No answer to ${method} ${path.slice(0, 80)} within ${TIMEOUT_MS} ms.`)),
    );
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode: status = 0, headers: answered } = response;
        const elapsedMs = performance.now() - startedAt;
        resolve({
          status,
          headers: answered,
          text,
          elapsedMs,
          get json(): unknown {
            return JSON.parse(text);
          },
        });
      });
    });
    if (chunked && body !== undefined) writeInChunks(request, body);
    else request.end(body);
  });
}

const CHUNK_BYTES = 65_536;

function writeInChunks(request: ReturnType<typeof httpRequest>, body: string | Uint8Array): void {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) request.write(bytes.subarray(at, at + CHUNK_BYTES));
  request.end();
}

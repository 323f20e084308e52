import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Request, sent exactly as given. The path is not normalized. */
export interface Question {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** Client address that a trusted proxy reports. By default a new address; null sends none. */
  from?: string | null;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Complete answer. Status 0 means that the connection ended without a complete answer. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Body as JSON; an empty object if it is not JSON. */
  json: Record<string, unknown>;
  elapsedMs: number;
}

const TIMEOUT_MS = 60_000;

let addresses = Math.floor(Math.random() * 0x10000);

/** Returns an unused address from a private network. */
export function newAddress(): string {
  const number = (addresses += 1);
  return `10.${(number >> 16) & 0xff}.${(number >> 8) & 0xff}.${number & 0xff}`;
}

/** Sends a request. Never throws: for a broken connection, the status is 0 and the text is the error. */
export function ask(
  { url }: { url: string },
  { method = 'GET', path, headers = {}, body, from = newAddress(), timeoutMs = TIMEOUT_MS, signal }: Question,
): Promise<Answer> {
  const { protocol, hostname, port } = new URL(url);
  const startedMs = performance.now();
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const end = (status: number, headers: IncomingHttpHeaders, body: Buffer): void =>
      resolve(answerOf(status, headers, body, performance.now() - startedMs));
    const request = send(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path,
        agent: false,
        timeout: timeoutMs,
        headers: { ...(from !== null && { 'x-forwarded-for': from }), ...headers, ...length },
        ...(signal && { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        const finish = (): void => end(response.statusCode ?? 0, response.headers, Buffer.concat(chunks));
        response.once('end', finish).once('error', finish);
      },
    );
    request.once('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    request.once('error', (error) => end(0, {}, Buffer.from(error.message)));
    request.end(body);
  });
}

/** Decodes the text only on access, because decoding would take processor time from the gateway on the same machine. */
function answerOf(status: number, headers: IncomingHttpHeaders, body: Buffer, elapsedMs: number): Answer {
  return {
    status,
    headers,
    elapsedMs,
    get text() {
      return body.toString('utf8');
    },
    get json() {
      return objectOf(this.text);
    },
  };
}

export function askJson(
  target: { url: string },
  path: string,
  body: unknown,
  question: Omit<Question, 'path' | 'body'> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(target, {
    method: 'POST',
    ...question,
    path,
    body: text,
    headers: { 'content-type': 'application/json', ...question.headers },
  });
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

import type { ServerResponse } from 'node:http';

export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param code stable code in upper snake case @param sentence a message for people */
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(sentence);
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, JSON.stringify(body), headers);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/**
 * Answers with `{error, code}`. If an answer has begun, aborts the connection so that the client sees an incomplete
 * answer.
 */
export function sendRefusal(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error: message, code }, headers);
}

import type { ServerResponse } from 'node:http';

/** A request that gets an error answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param code stable, upper snake @param sentence for people */
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(sentence);
  }
}

/** Sends a JSON answer, whole. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends an answer that is JSON text already, whole. */
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

/** Answers with `{error, code}`, or, where an answer has begun, breaks it off so that it cannot pass for whole. */
export function sendRefusal(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error: message, code }, headers);
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './test-gateway';

/** Request that reached the model server. */
export interface AskedModel {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Bytes as received. */
  bytes: Buffer;
  request: IncomingMessage;
  /** True if the gateway closed the connection before the end of the answer. */
  aborted: Promise<boolean>;
}

export type ModelScript = (asked: AskedModel, response: ServerResponse) => void | Promise<void>;

/** OpenAI-compatible server with scripted answers, on a free loopback port until the end of the test. */
export interface ScriptedModel {
  /** Base URL, ending in /v1. */
  url: string;
  /** All completion requests, in order. */
  asked: AskedModel[];
  models: unknown[];
  script: ModelScript;
}

export const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };

const PLAIN_MODEL = { id: 'plain', object: 'model', created: 1, owned_by: 'test', context_length: 1_000 };

export async function scriptedModel(
  script: ModelScript = says('Hello.'),
  models: unknown[] = [PLAIN_MODEL],
): Promise<ScriptedModel> {
  const model: ScriptedModel = { url: '', asked: [], models, script };
  const { origin } = await serve(modelListener(model));
  model.url = `${origin}/v1`;
  return model;
}

/** Returns a request listener that answers in place of a scripted model. */
export function modelListener(model: ScriptedModel): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      if (request.url === '/v1/models')
        return void response.end(JSON.stringify({ object: 'list', data: model.models }));
      const aborted = new Promise<boolean>((resolve) =>
        response.once('close', () => resolve(!response.writableFinished)),
      );
      const asked = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: bytes.toString(),
        bytes,
        request,
        aborted,
      };
      model.asked.push(asked);
      void model.script(asked, response);
    });
  };
}

/** Answers with this content in one body. */
export function says(content: string, usage: object | null = USAGE): ModelScript {
  return (_asked, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(completionText(content, usage));
  };
}

export function completionText(content: string, usage: object | null = USAGE): string {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'plain',
    choices,
    ...(usage ? { usage } : {}),
  });
}

/** Answers with this status and body. */
export function refuses(status: number, body: unknown, headers: Record<string, string> = {}): ModelScript {
  return (_asked, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Returns a stream event with this content. */
export function chunk(content: string, more: Record<string, unknown> = {}): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'plain', choices, ...more })}\n\n`;
}

/** Returns the stream event that reports usage. */
export function usageChunk(usage: object = USAGE): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'plain', choices: [], usage })}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';

/** Streams these parts one after another, then ends. */
export function streams(...parts: string[]): ModelScript {
  return async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) {
      response.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

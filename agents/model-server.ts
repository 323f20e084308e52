import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AskedChat, askedChat, type ScriptedAnswer, scriptedAnswer } from './scripted-answer';

export const MODEL = 'plain';
const CONTEXT_TOKENS = 200_000;
const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
/** Delay before the connection is cut, long enough for the client to receive the earlier text. */
const CUT_AFTER_MS = 200;

/** OpenAI-compatible server on a free loopback port, whose model follows the script. */
export interface ModelServer {
  url: string;
  /** All chats that it received, in order. */
  asked: AskedChat[];
  /** Working directory of the program that sends requests. */
  folder: string;
  close(): void;
}

export async function startModelServer(): Promise<ModelServer> {
  const model: ModelServer = { url: '', asked: [], folder: '', close: () => undefined };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/models')
        return void response.end(
          JSON.stringify({
            object: 'list',
            data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'agents', context_length: CONTEXT_TOKENS }],
          }),
        );
      const chat = askedChat(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      model.asked.push(chat);
      void answer(response, scriptedAnswer(chat, model.folder), chat.isStreamed);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  model.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return model;
}

async function answer(response: ServerResponse, given: ScriptedAnswer, isStreamed: boolean): Promise<void> {
  const message =
    given.kind === 'call'
      ? { role: 'assistant', content: null, tool_calls: [toolCall(given)] }
      : { role: 'assistant', content: given.text };
  const finish = given.kind === 'call' ? 'tool_calls' : 'stop';
  if (!isStreamed) {
    // A `cut` answer sends only part of its body.
    const body = JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: MODEL,
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: USAGE,
    });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    if (given.kind !== 'cut') return void response.end(body);
    response.write(body.slice(0, 50));
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      event({
        choices: [
          {
            index: 0,
            delta:
              given.kind === 'call' ? { role: 'assistant', tool_calls: [{ index: 0, ...toolCall(given) }] } : message,
            finish_reason: null,
          },
        ],
      }),
    );
    if (given.kind !== 'cut')
      return void response.end(
        `${event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })}${event({ choices: [], usage: USAGE })}data: [DONE]\n\n`,
      );
  }
  await sleep(CUT_AFTER_MS);
  response.destroy();
}

let calls = 0;
const toolCall = ({ name, arguments: given }: { name: string; arguments: object }) => ({
  id: `call_${++calls}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
});
const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, ...fields })}\n\n`;

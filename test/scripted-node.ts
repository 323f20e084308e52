import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { serve } from './test-gateway';

export interface AskedItem {
  id: number;
  method: string;
  params: unknown;
}

/** What a node was sent in one request. */
export interface Asked {
  batch: boolean;
  items: AskedItem[];
  /** As it came. */
  text: string;
  request: IncomingMessage;
}

/** Answers by itself, or by what it returns: a body of status 200. */
export type NodeScript = (
  asked: Asked,
  response: ServerResponse,
) => string | undefined | void | Promise<string | undefined | void>;

export interface ScriptedNode {
  url: string;
  /** Every request, in order. */
  asked: Asked[];
  /** Answers by this script from now on. */
  script: NodeScript;
  /** How many requests had an item of this method. */
  count(method: string): number;
}

/** A JSON-RPC node that does what a test says, on a free port of the loopback until the test is over. */
export async function scriptedNode(script: NodeScript = sound()): Promise<ScriptedNode> {
  const node: ScriptedNode = {
    url: '',
    asked: [],
    script,
    count: (method) => node.asked.filter(({ items }) => items.some((item) => item.method === method)).length,
  };
  const { origin } = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    // What was cut off in between ends too.
    request.on('end', () => request.complete && void answer(node, text, request, response));
  });
  node.url = origin;
  return node;
}

async function answer(
  node: ScriptedNode,
  text: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parsed = JSON.parse(text) as AskedItem | AskedItem[];
  const asked: Asked = {
    batch: Array.isArray(parsed),
    items: Array.isArray(parsed) ? parsed : [parsed],
    text,
    request,
  };
  node.asked.push(asked);
  const body = await node.script(asked, response);
  if (typeof body === 'string') response.end(body);
}

/** Answers every item with a result, the same for all or by item. */
export function sound(result: string | ((item: AskedItem) => string) = '"sound"'): NodeScript {
  return ({ batch, items }) => {
    const answers = items.map((item) => resultOf(item, typeof result === 'string' ? result : result(item)));
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };
}

/** One answer with this result. */
export function resultOf({ id }: { id: number }, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** One answer with this error. */
export function errorOf({ id }: { id: number | null }, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** A URL at which nothing listens. */
export async function refusingUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

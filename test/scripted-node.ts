import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { serve } from './test-gateway';

export interface AskedItem {
  id: number;
  method: string;
  params: unknown;
}

/** Content of one request to a node. */
export interface Asked {
  batch: boolean;
  items: AskedItem[];
  /** Text as received. */
  text: string;
  request: IncomingMessage;
}

/** Answers a request: writes the response, or returns a body for status 200. */
export type NodeScript = (
  asked: Asked,
  response: ServerResponse,
) => string | undefined | void | Promise<string | undefined | void>;

export interface ScriptedNode {
  url: string;
  /** All requests, in order. */
  asked: Asked[];
  /** Script for later answers. */
  script: NodeScript;
  /** Returns the number of requests that include this method. */
  count(method: string): number;
}

/** Starts a scripted JSON-RPC node on a free loopback port until the end of the test. */
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
    // Node also emits "end" for an aborted request.
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

/** Answers every item with a result, either a constant or computed from the item. */
export function sound(result: string | ((item: AskedItem) => string) = '"sound"'): NodeScript {
  return ({ batch, items }) => {
    const answers = items.map((item) => resultOf(item, typeof result === 'string' ? result : result(item)));
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };
}

/** Returns a JSON-RPC answer with this result. */
export function resultOf({ id }: { id: number }, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** Returns a JSON-RPC answer with this error. */
export function errorOf({ id }: { id: number | null }, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** Returns a URL where no server listens. */
export async function refusingUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** How the node treats callers' calls. The node always answers the gateway's own chain checks immediately. */
export type Behaviour =
  /** `logsBytes` is the size of an answer to eth_getLogs. */
  { do: 'answer'; afterMs?: number; logsBytes?: number } | { do: 'garbage' } | { do: 'half' } | { do: 'nothing' };

const MAINNET = '0x1';

/** Simulates an Ethereum mainnet node on loopback with a settable behavior. Counts the callers' calls. */
export class ScriptedNode {
  behaviour: Behaviour = { do: 'answer' };
  chainId = MAINNET;
  calls = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {}

  /** @param tls certificate and key; the node then speaks HTTPS */
  static async start(tls?: { cert: string; key: string }): Promise<ScriptedNode> {
    const answer = (request: IncomingMessage, response: ServerResponse): void => void node.#answer(request, response);
    const server = tls ? createTlsServer(tls, answer) : createServer(answer);
    const node: ScriptedNode = new ScriptedNode(server, tls ? 'https' : 'http');
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      node.#sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => node.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    if (text === null) return void response.destroy();
    const call = JSON.parse(text) as { id: unknown; method: string } | { id: unknown; method: string }[];
    const answers = (Array.isArray(call) ? call : [call]).map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: this.#ownAnswer(method),
    }));
    const isOwn = answers.every(({ result }) => result !== null);
    if (isOwn)
      return void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(Array.isArray(call) ? answers : answers[0]));
    this.calls++;
    const [first] = Array.isArray(call) ? call : [call];
    if (first) this.#behave(response, first);
  }

  #ownAnswer(method: string): unknown {
    if (method === 'eth_chainId') return this.chainId;
    if (method === 'net_version') return String(Number(this.chainId));
    if (method === 'eth_blockNumber') return '0x1000';
    if (method === 'eth_getBlockByNumber')
      return {
        number: '0x1000',
        timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
        hash: `0x${'1'.repeat(64)}`,
      };
    return null;
  }

  #behave(response: ServerResponse, { id, method }: { id: unknown; method: string }): void {
    const { behaviour } = this;
    response.setHeader('content-type', 'application/json');
    if (behaviour.do === 'garbage') response.setHeader('content-type', 'text/html').end('<html>It works!</html>');
    else if (behaviour.do === 'half')
      response.setHeader('content-length', '500').write('{"jsonrpc":"2.0","id":1,"resu');
    else if (behaviour.do === 'answer') {
      const { afterMs = 0, logsBytes } = behaviour;
      if (method === 'eth_getLogs' && logsBytes !== undefined)
        setTimeout(() => endLarge(response, id, logsBytes), afterMs);
      else setTimeout(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x64' })), afterMs);
    }
  }
}

/** Returns the body of a call; null if the caller sent none or disconnected before its end. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  let text = '';
  try {
    for await (const chunk of request) text += String(chunk);
  } catch {
    return null;
  }
  return request.complete && text !== '' ? text : null;
}

let large = Buffer.alloc(0);

/** Sends one shared buffer. Building each answer would block this process, which also times other calls. */
function endLarge(response: ServerResponse, id: unknown, bytes: number): void {
  if (large.length !== bytes) large = Buffer.alloc(bytes, 'ab');
  response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":"0x`);
  response.write(large);
  response.end('"}');
}

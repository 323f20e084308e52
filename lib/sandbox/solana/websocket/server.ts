import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { isLocalHost } from '../../http/local-host';
import type { SandboxLog } from '../../log';
import type { SolanaChain } from '../chain';
import type { SolanaNetwork, SolanaNetworks } from '../network';
import { errorText, readRequest } from '../rpc/answer';
import { RPC_CODES, RpcError, toJsonText } from '../rpc/json-rpc';
import { Params } from '../rpc/params';
import { SlotTicker, Subscriptions } from './subscriptions';

const MESSAGE_BYTES_MAX = 64 * 1024;
/** Maximum number of unsent bytes per connection. Beyond it, the server drops the slow reader. */
const UNSENT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Solana's WebSocket for subscriptions, on any path that ends with a Solana network's slug, because client libraries
 * derive the path in different ways.
 */
export class SolanaWebSocket {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
  readonly #tickers = new WeakMap<SolanaChain, SlotTicker>();

  constructor(
    private readonly networks: SolanaNetworks,
    private readonly log: SandboxLog,
  ) {}

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined);
    const slug = request.url?.split('?', 1)[0]?.split('/').at(-1) ?? '';
    const network = this.networks.get(slug);
    if (!isLocalHost(request.headers.host)) return refuse(socket, '421 Misdirected Request');
    if (!network) return refuse(socket, '404 Not Found');
    this.#server.handleUpgrade(request, socket, head, (client) => this.#serve(client, network));
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  #serve(client: WebSocket, network: SolanaNetwork): void {
    const opened = network
      .ready()
      .then((chain) => ({ chain, subscriptions: new Subscriptions(chain, this.#tickerOf(chain), send) }));
    const send = (text: string): void => {
      if (client.readyState !== WebSocket.OPEN) return;
      if (client.bufferedAmount > UNSENT_BYTES_MAX) client.terminate();
      else client.send(text);
    };
    client.on('error', () => undefined);
    client.on('close', () => void opened.then(({ subscriptions }) => subscriptions.close()).catch(() => undefined));
    client.on('message', (data, isBinary) => {
      if (isBinary) client.close(1003, 'text only');
      else
        void opened
          .then(({ chain, subscriptions }) => answerMessage(data, chain, subscriptions, send))
          .catch((error: Error) => this.#fail(client, error));
    });
    opened.catch((error: Error) => this.#fail(client, error));
  }

  #fail(client: WebSocket, error: Error): void {
    this.log.warn(`serving a Solana WebSocket failed: ${error.stack ?? error.message}`);
    client.close(1011, 'the stand-in failed');
  }

  #tickerOf(chain: SolanaChain): SlotTicker {
    let ticker = this.#tickers.get(chain);
    if (!ticker) this.#tickers.set(chain, (ticker = new SlotTicker(chain.clock)));
    return ticker;
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

async function answerMessage(
  data: RawData,
  chain: SolanaChain,
  subscriptions: Subscriptions,
  send: (text: string) => void,
): Promise<void> {
  let request: unknown;
  try {
    request = JSON.parse((data as Buffer).toString('utf8'));
  } catch {
    return send(errorText(null, new RpcError(RPC_CODES.parse, 'Parse error')));
  }
  const { id, method, params } = readRequest(request);
  if (method === null) return send(errorText(id, new RpcError(RPC_CODES.invalidRequest, 'Invalid request')));
  // Solana's client libraries send JSON-RPC notifications as keep-alives.
  const isNotification = id === null && !Object.hasOwn(request as object, 'id');
  if (isNotification) return;
  try {
    await chain.settled();
    const answer = subscriptions.answer(method, new Params(Array.isArray(params) ? params : [], chain.clock.now()));
    if (!answer) throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
    send(`{"jsonrpc":"2.0","result":${toJsonText(answer.result)},"id":${JSON.stringify(id)}}`);
    answer.afterwards();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    send(errorText(id, error));
  }
}

/**
 * Serves Solana's WebSocket on the loopback port one above the gateway's, where @solana/web3.js looks by default. Opens
 * the port only once a Solana network is used, because another program may need the port. If the port is taken, only
 * writes a log line.
 */
export class NeighbourPort {
  #server: Server | undefined;

  /** @param port port to open; null for none */
  constructor(
    private readonly port: number | null,
    private readonly webSocket: SolanaWebSocket,
    private readonly log: SandboxLog,
  ) {}

  open(): void {
    if (this.port === null || this.#server) return;
    const server = createServer((_request, response) => {
      response
        .writeHead(426, { 'content-type': 'text/plain', connection: 'close' })
        .end('This port serves the WebSocket of the Solana stand-ins only.\n');
    });
    server.on('upgrade', (request, socket, head) => this.webSocket.upgrade(request, socket, head));
    server.on('error', (error: NodeJS.ErrnoException) => {
      this.log.info(
        `port ${this.port} could not be opened (${error.code ?? error.message}); give Solana clients the WebSocket address that GET /api/sandbox returns`,
      );
    });
    this.#server = server.listen(this.port, '127.0.0.1');
    server.unref();
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

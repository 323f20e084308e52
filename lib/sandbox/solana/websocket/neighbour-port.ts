import { createServer, type Server } from 'node:http';
import type { SandboxLog } from '../../log';
import type { SolanaWebSocket } from './server';

/**
 * Solana's WebSocket on the port after the gateway's, on loopback. @solana/web3.js looks for it there
 * unless it is given a `wsEndpoint`. The port is not the gateway's own, so it is taken only once a
 * Solana network is used, and where it is in use nothing happens but a line in the log.
 */
export class NeighbourPort {
  #server: Server | undefined;

  /** @param port null for none */
  constructor(
    private readonly port: number | null,
    private readonly webSocket: SolanaWebSocket,
    private readonly log: SandboxLog,
  ) {}

  /** Begins to listen, once. */
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
        `port ${this.port} is not to be had (${error.code ?? error.message}): clients of Solana need the WebSocket address told to them, see GET /api/sandbox`,
      );
    });
    this.#server = server.listen(this.port, '127.0.0.1');
    // What else runs here says when the process ends.
    server.unref();
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

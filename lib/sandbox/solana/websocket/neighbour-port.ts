import { createServer, type Server } from 'node:http';
import type { SandboxLog } from '../../log';
import type { SolanaWebSocket } from './server';

/**
 * Serves Solana's WebSocket on the loopback port after the gateway's, where @solana/web3.js looks by default. Opens the
 * port only once a Solana network is used, because another program may need the port. Logs a port that is in use, and
 * does not fail.
 */
export class NeighbourPort {
  #server: Server | undefined;

  /** @param port null opens no port */
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
        `port ${this.port} could not be opened (${error.code ?? error.message}); Solana clients need the WebSocket address from GET /api/sandbox`,
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

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { admit, readBody } from '../proxy/incoming-request';
import type { RunningProxy } from '../proxy/proxy-server';

const BODY_BYTES_MAX = 4 * 1_024 * 1_024;
const HEADERS_TIMEOUT_MS = 30_000;
const SESSIONS_MAX = 100;

/** Serves MCP over streamable HTTP on loopback, at /mcp, with one server per session. Clients need the token. */
export async function startMcpOverHttp(
  makeServer: () => McpServer,
  { token, port: chosen }: { token: string; port: number },
): Promise<RunningProxy> {
  const sessions = new Sessions(makeServer);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = admit(request, { token, port: (server.address() as AddressInfo).port });
    if ('status' in admission) return refuse(response, admission.status, admission.message);
    if (admission.path.split('?', 1)[0] !== '/mcp') return refuse(response, 404, 'MCP is at /mcp.');
    const body = request.method === 'POST' ? await readBody(request, BODY_BYTES_MAX) : Buffer.alloc(0);
    if (body === null) return refuse(response, 413, `The message is longer than ${BODY_BYTES_MAX} bytes.`);
    const message = body.length === 0 ? undefined : parsed(body);
    if (message === null) return refuse(response, 400, 'The message is not JSON.');
    const id = request.headers['mcp-session-id'];
    if (id === undefined && !isInitializeRequest(message))
      return refuse(
        response,
        400,
        'The message has no session. Start with initialize, then send Mcp-Session-Id with every other message.',
      );
    const transport = id === undefined ? await sessions.begin() : sessions.find(String(id));
    if (transport === null) return refuse(response, 404, 'There is no such session. Begin a new one.');
    await transport.handleRequest(request, response, message);
  };

  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    serve(request, response).catch(
      () => response.headersSent || refuse(response, 500, 'The message could not be served.'),
    );
  });
  server.listen(chosen, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      await sessions.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Open sessions, most recently used last. */
class Sessions {
  readonly #transports = new Map<string, StreamableHTTPServerTransport>();

  constructor(private readonly makeServer: () => McpServer) {}

  find(id: string): StreamableHTTPServerTransport | null {
    const transport = this.#transports.get(id);
    if (transport === undefined) return null;
    this.#transports.delete(id);
    this.#transports.set(id, transport);
    return transport;
  }

  /**
   * Begins a session. At the limit, closes the least recently used session, because MCP clients disconnect without
   * notice.
   */
  async begin(): Promise<StreamableHTTPServerTransport> {
    const [oldest] = this.#transports.values();
    if (this.#transports.size >= SESSIONS_MAX) await oldest?.close();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#transports.set(id, transport),
    });
    transport.onclose = () => void (transport.sessionId !== undefined && this.#transports.delete(transport.sessionId));
    // The SDK's types do not support exactOptionalPropertyTypes.
    await this.makeServer().connect(transport as Parameters<McpServer['connect']>[0]);
    return transport;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}

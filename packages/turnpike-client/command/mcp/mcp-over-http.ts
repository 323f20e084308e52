import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { admit } from '../proxy/admission';
import { readBody } from '../proxy/read-body';
import type { RunningProxy } from '../proxy/proxy-server';

const BODY_BYTES_MAX = 4 * 1_024 * 1_024;
const SESSIONS_MAX = 100;

/** Serves MCP over streamable HTTP on loopback, at /mcp, to whoever holds the token; each session has a server of its own. */
export async function startMcpOverHttp(makeServer: () => McpServer, { token, port }: { token: string; port: number }): Promise<RunningProxy> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  const transportOf = async (request: IncomingMessage): Promise<StreamableHTTPServerTransport | null> => {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return sessions.get(id) ?? null;
    const oldest = sessions.keys().next().value;
    if (sessions.size >= SESSIONS_MAX && oldest !== undefined) await sessions.get(oldest)?.close();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: (made) => void sessions.set(made, transport) });
    transport.onclose = () => void (transport.sessionId !== undefined && sessions.delete(transport.sessionId));
    // The SDK's own types do not allow for exactOptionalPropertyTypes.
    await makeServer().connect(transport as Parameters<McpServer['connect']>[0]);
    return transport;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = admit(request, { token, port: (server.address() as AddressInfo).port });
    if ('status' in admission) return refuse(response, admission.status, admission.message);
    if (admission.path.split('?', 1)[0] !== '/mcp') return refuse(response, 404, 'MCP is at /mcp.');
    const body = request.method === 'POST' ? await readBody(request, BODY_BYTES_MAX) : Buffer.alloc(0);
    if (body === null) return refuse(response, 413, 'The message is too long.');
    const message = body.length === 0 ? undefined : parsed(body);
    if (message === null) return refuse(response, 400, 'The message is not JSON.');
    const transport = await transportOf(request);
    if (transport === null) return refuse(response, 404, 'There is no such session. Begin a new one.');
    await transport.handleRequest(request, response, message);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.headersSent || refuse(response, 500, 'The message could not be served.'));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}

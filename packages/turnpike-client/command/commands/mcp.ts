import { randomBytes } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { type Command, type CommandIo, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { askBeforeTopUp } from '../mcp/consent';
import { startMcpOverHttp } from '../mcp/mcp-over-http';
import { createMcpServer, type McpParts } from '../mcp/mcp-server';
import { countOption, readOptions } from '../options';
import { noArguments } from '../positionals';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';
import { UsageError } from '../usage-error';

const PORT_RANGE = [0, 65_535] as const;

const HELP = `turnpike-client mcp [options]

An MCP server on standard input and output, for agents: call chains, send signed transactions,
ask private models, speak, make videos, see the balance and top up, verify attestations. A
top-up asks a person, through the agent's own client.

  --auto-top-up          top up within the budget without asking
  --media FOLDER         write audio and videos there, and name the files
  --http PORT            streamable HTTP on loopback instead, at /mcp; 0 for any free port
  TURNPIKE_PROXY_TOKEN   the token of --http; drawn unless set
${PRIVATE_HELP}
${BUDGET_HELP}
${CUSTOMER_HELP}
`;

const OPTIONS = { ...CUSTOMER_OPTIONS, ...PRIVATE_OPTIONS, http: { type: 'string' }, media: { type: 'string' }, 'auto-top-up': { type: 'boolean' } } as const;

/** An MCP server. */
export const mcp: Command = {
  summary: 'an MCP server for agents, over standard input and output or HTTP',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    noArguments(positionals);
    const port = countOption('http', values.http, PORT_RANGE);
    if (values['auto-top-up'] && values['per-day'] === undefined) throw new UsageError('--auto-top-up needs a budget: --per-day USD.');
    const customer = await readCustomer(values, io, {
      onEvent: async (event) => {
        io.err(describeEvent(event));
        if (!values['auto-top-up']) await askBeforeTopUp(event);
      },
    });
    const parts: McpParts = { customer, privately: await readPrivateOptions(values, customer), mediaFolder: values.media ?? null };
    return port === undefined ? overStdio(parts, io) : overHttp(parts, port, values.json === true, io);
  },
};

async function overStdio(parts: McpParts, { signal }: CommandIo): Promise<number> {
  const server = createMcpServer(parts);
  const closed = new Promise<void>((resolve) => (server.server.onclose = resolve));
  await server.connect(new StdioServerTransport());
  process.stdin.once('end', () => void server.close());
  signal.addEventListener('abort', () => void server.close(), { once: true });
  await closed;
  return EXIT.done;
}

async function overHttp(parts: McpParts, port: number, isJson: boolean, io: CommandIo): Promise<number> {
  const token = io.env['TURNPIKE_PROXY_TOKEN'] ?? randomBytes(24).toString('base64url');
  const running = await startMcpOverHttp(() => createMcpServer(parts), { token, port });
  const url = `http://127.0.0.1:${running.port}/mcp`;
  io.out(isJson ? `${JSON.stringify({ url, token })}\n` : `MCP at ${url}\n  Authorization: Bearer ${token}\n  or, for clients that take an address alone: http://127.0.0.1:${running.port}/${token}/mcp\n`);
  await new Promise<void>((resolve) => (io.signal.aborted ? resolve() : io.signal.addEventListener('abort', () => resolve(), { once: true })));
  await running.close();
  return EXIT.done;
}

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import { askSettings } from '@/lib/client';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createTurnpike, type Turnpike } from '../../src/turnpike';
import { ACCOUNT_OPTIONS } from '../account-source';
import { type Command, type CommandIo, EXIT } from '../command';
import {
  BUDGET_HELP,
  CUSTOMER_HELP,
  CUSTOMER_OPTIONS,
  type CustomerValues,
  gatewayUrl,
  readPrivateCustomer,
} from '../customer';
import { describeEvent } from '../described-event';
import { fetchPaidByClient } from '../mcp/client-paid-fetch';
import { askBeforeTopUp } from '../mcp/consent';
import { startMcpOverHttp } from '../mcp/mcp-over-http';
import type { McpParts } from '../mcp/tool-call';
import { createMcpServer } from '../mcp/mcp-server';
import { countOption, readOptions } from '../options';
import { noArguments } from '@/lib/command-line/options';
import { escapedJson } from '../printable';
import { PRIVATE_HELP, PRIVATE_OPTIONS, type PrivateValues, readPrivateOptions } from '../private-options';
import { UsageError } from '@/lib/command-line/usage-error';

const PORT_RANGE = [0, 65_535] as const;
/** Maximum time to wait for the gateway's name at startup. */
const NAME_WITHIN_MS = 2_000;
const TOKEN = /^[\w-]{16,200}$/;

const HELP = `turnpike-client mcp [options]

Runs an MCP server for agents, on standard input and output. Its tools call chains, send signed
transactions, ask private models, speak, transcribe, embed texts, make pictures and videos, show
the balance, top up and verify attestations. A top-up asks a person through the agent's client.

  --auto-top-up          top up within the budget without asking
  --client-pays          use no account: the MCP client pays for each call with x402; videos are
                         not offered
  --media FOLDER         write audio and videos to this folder, and return the file names
  --http PORT            serve streamable HTTP on loopback at /mcp instead; 0 for any free port
  TURNPIKE_PROXY_TOKEN   the token for --http; random by default
${PRIVATE_HELP}
${BUDGET_HELP}
${CUSTOMER_HELP}
`;

export const MCP_OPTIONS = {
  ...CUSTOMER_OPTIONS,
  ...PRIVATE_OPTIONS,
  http: { type: 'string' },
  media: { type: 'string' },
  'auto-top-up': { type: 'boolean' },
  'client-pays': { type: 'boolean' },
} as const;
/** Account and budget options, which cannot be combined with `--client-pays`. */
const OF_ACCOUNTS = [
  ...Object.keys(ACCOUNT_OPTIONS),
  'per-day',
  'per-call',
  'top-up',
  'auto-top-up',
  'allow-asset',
  'solana-rpc',
  'valid-for',
] as const;

type McpValues = CustomerValues & PrivateValues & { 'auto-top-up'?: boolean; 'client-pays'?: boolean };

export const mcp: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, MCP_OPTIONS);
    noArguments(positionals);
    const port = countOption('http', values.http, PORT_RANGE);
    const token = readToken(io);
    const clientPays = values['client-pays'] === true;
    const customer = clientPays ? nobodysCustomer(values, io) : await payingCustomer(values, io);
    const parts: McpParts = {
      customer,
      clientPays,
      gatewayName: await gatewayName(customer),
      privately: await readPrivateOptions(values, customer),
      mediaFolder: values.media === undefined ? null : mediaFolder(values.media),
    };
    return port === undefined
      ? overStdio(parts, io)
      : overHttp(parts, { port, token, isJson: values.json === true }, io);
  },
};

async function gatewayName({ url }: Turnpike): Promise<string> {
  const settings = await askSettings({ baseUrl: url }, { signal: AbortSignal.timeout(NAME_WITHIN_MS) }).catch(
    () => null,
  );
  return settings?.name ?? DEFAULT_BRAND.name;
}

function payingCustomer(values: McpValues, io: CommandIo): Promise<Turnpike> {
  if (values['auto-top-up'] && values['per-day'] === undefined)
    throw new UsageError('--auto-top-up needs a budget: --per-day USD.');
  return readPrivateCustomer(values, io, {
    onEvent: async (event) => {
      if (!values['auto-top-up']) await askBeforeTopUp(event);
      io.err(describeEvent(event));
    },
  });
}

/**
 * Returns a customer with a new random wallet that has no money. Even free calls need a wallet's sign-in.
 * @throws {UsageError}
 */
function nobodysCustomer(values: McpValues, io: CommandIo): Turnpike {
  const given = new Map<string, unknown>(Object.entries(values));
  const useless = OF_ACCOUNTS.find((name) => given.get(name) !== undefined);
  if (useless !== undefined)
    throw new UsageError(`--client-pays uses no account, so it cannot be combined with --${useless}.`);
  return createTurnpike({
    url: gatewayUrl(values, io),
    account: privateKeyToAccount(generatePrivateKey()),
    fetch: fetchPaidByClient,
  });
}

function readToken({ env }: CommandIo): string {
  const token = env['TURNPIKE_PROXY_TOKEN'] ?? randomBytes(24).toString('base64url');
  if (!TOKEN.test(token)) throw new UsageError('TURNPIKE_PROXY_TOKEN must have 16 to 200 letters, digits, _ or -.');
  return token;
}

function mediaFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw new UsageError(`The folder of --media, ${folder}, cannot be created: ${(error as Error).message}`);
  }
}

async function overStdio(parts: McpParts, { signal }: CommandIo): Promise<number> {
  const server = createMcpServer(parts);
  const closed = new Promise<void>((resolve) => (server.server.onclose = resolve));
  await server.connect(new StdioServerTransport(process.stdin, escapedOutput()));
  const end = (): void => void server.close().catch(() => undefined);
  process.stdin.once('end', end);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  await closed;
  return EXIT.done;
}

function escapedOutput(): Writable {
  return new Writable({
    decodeStrings: false,
    write: (message, _encoding, done) => void process.stdout.write(escapedJson(String(message)), done),
  });
}

async function overHttp(
  parts: McpParts,
  { port, token, isJson }: { port: number; token: string; isJson: boolean },
  io: CommandIo,
): Promise<number> {
  const running = await startMcpOverHttp(() => createMcpServer(parts), { token, port }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new UsageError(`Port ${port} is taken. Choose another with --http.`) : error;
    },
  );
  const url = `http://127.0.0.1:${running.port}/mcp`;
  io.out(
    isJson
      ? `${JSON.stringify({ url, token })}\n`
      : `MCP at ${url}\n  Authorization: Bearer ${token}\n  or, for clients that accept only an address: http://127.0.0.1:${running.port}/${token}/mcp\n`,
  );
  await new Promise<void>((resolve) =>
    io.signal.aborted ? resolve() : io.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await running.close();
  return EXIT.done;
}

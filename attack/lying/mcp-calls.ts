import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family } from './endpoint';
import { faultsOfText } from './faults';
import { SECRET } from './library-calls';
import { faultsOfSpending, type Server, SERVER_PER_DAY_USD } from './long-lived-clients';
import type { CallOutcome } from './call-outcome';
import { ALIVE_TIMEOUT_MS, patienceMs } from './patience';
import { Scenario } from './scenario';
import type { ScriptedGateway } from './scripted-gateway';
import type { ToldCall } from './told-lies';

const KEPT = 'this file was here before';

/** Returns the arguments of an MCP server that writes media to a folder. */
export const mcpArguments = (media: string): string[] => [
  'mcp',
  '--http',
  '0',
  '--allow-simulated',
  '--auto-top-up',
  '--per-day',
  String(SERVER_PER_DAY_USD),
  '--media',
  media,
];

interface McpCall {
  name: string;
  family: Family;
  asks: readonly string[];
  method: 'tools/call' | 'resources/read';
  params: Record<string, unknown>;
}

const PAYING = ['top-up', 'sandbox'];
const tool = (name: string, args: object) => ({ method: 'tools/call' as const, params: { name, arguments: args } });
const resource = (name: string) => ({ method: 'resources/read' as const, params: { uri: `turnpike://${name}` } });

export const MCP_CALLS: readonly McpCall[] = [
  { name: 'balance', family: 'books', asks: ['balance'], ...tool('balance', {}) },
  {
    name: 'call-chain',
    family: 'chains',
    asks: ['rpc', ...PAYING],
    ...tool('call_chain', { network: 'base-mainnet', method: 'eth_blockNumber' }),
  },
  { name: 'networks', family: 'chains', asks: ['networks'], ...resource('networks') },
  { name: 'models', family: 'models', asks: ['models'], ...resource('models') },
  { name: 'prices', family: 'models', asks: ['models', 'settings'], ...resource('prices') },
  {
    name: 'ask',
    family: 'chats',
    asks: ['chat', 'attestation', 'signature', 'models', 'charges'],
    ...tool('ask_private_model', { prompt: SECRET }),
  },
  { name: 'verify', family: 'chats', asks: ['attestation'], ...tool('verify_attestation', { model: 'e2ee-guide' }) },
  { name: 'speak', family: 'media', asks: ['models', 'speech', ...PAYING], ...tool('speak', { text: 'Hello' }) },
  {
    name: 'make-image',
    family: 'media',
    asks: ['models', 'images', ...PAYING],
    ...tool('make_image', { prompt: 'A hill' }),
  },
  {
    name: 'embed',
    family: 'media',
    asks: ['models', 'embeddings', ...PAYING],
    ...tool('embed', { texts: ['A hill'] }),
  },
  {
    name: 'make-video',
    family: 'media',
    asks: ['models', 'queue-video', 'retrieve-video', 'complete-video', ...PAYING],
    ...tool('make_video', { prompt: 'A hill' }),
  },
  { name: 'top-up', family: 'money', asks: PAYING, ...tool('top_up', { amountUsd: 5 }) },
];

/** Media folder with traps: existing files, and links that lead outside. */
export class MediaFolder {
  readonly media: string;
  readonly #outside: string;

  constructor(folder: string) {
    this.media = join(folder, 'media');
    this.#outside = join(folder, 'outside');
    for (const each of [this.media, this.#outside]) mkdirSync(each, { recursive: true });
    for (const file of [join(this.media, 'speech.mp3'), join(this.#outside, 'kept'), join(folder, 'escaped')])
      writeFileSync(file, KEPT);
    symlinkSync(this.#outside, join(this.media, 'link'));
    symlinkSync(join(this.#outside, 'kept'), join(this.media, 'video.mp4'));
    this.folder = folder;
  }

  private readonly folder: string;

  /** Returns files that the server wrote outside the folder or over existing files. */
  faults(): string[] {
    const kept = [join(this.media, 'speech.mp3'), join(this.#outside, 'kept'), join(this.folder, 'escaped')].filter(
      (file) => readFileSync(file, 'utf8') !== KEPT,
    );
    const strange = [
      ...readdirSync(this.folder).filter((name) => !['media', 'outside', 'escaped'].includes(name)),
      ...readdirSync(this.#outside).filter((name) => name !== 'kept'),
    ];
    const odd = readdirSync(this.media).filter(
      (name) =>
        !/^(speech|image|video)-[0-9a-f]+\.[a-z0-9]{2,5}$/.test(name) &&
        !['speech.mp3', 'video.mp4', 'link'].includes(name),
    );
    return [
      ...kept.map((file) => `wrote over ${file}`),
      ...strange.map((name) => `wrote ${name} outside of the folder`),
      ...odd.map((name) => `wrote a file called ${JSON.stringify(name)}`),
      ...(existsSync('/tmp/escaped') ? ['wrote /tmp/escaped'] : []),
    ];
  }

  holds(file: string): boolean {
    return existsSync(file) && realpathSync(file).startsWith(`${realpathSync(this.media)}/`);
  }
}

/** Session with an MCP server in the process under attack. */
export class McpSession {
  #last = 0;

  private constructor(
    readonly server: Server,
    private readonly id: string,
  ) {}

  static async begin(server: Server): Promise<McpSession> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    const { headers } = await posted(server, null, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const session = new McpSession(server, headers.get('mcp-session-id') ?? '');
    await posted(server, session.id, { jsonrpc: '2.0', method: 'notifications/initialized' });
    return session;
  }

  /** Returns the text of the answer; null if none arrives in time. */
  async ask(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<string | null> {
    try {
      const response = await posted(this.server, this.id, { jsonrpc: '2.0', id: ++this.#last, method, params }, signal);
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  }
}

function posted(
  { url, token }: Server,
  session: string | null,
  message: object,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== null && { 'mcp-session-id': session }),
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message), ...(signal && { signal }) });
}

/**
 * Makes a request to an MCP server in the process under attack. Checks the server's folder, and that the server still
 * serves.
 */
export async function callMcp(
  gateway: ScriptedGateway,
  session: McpSession,
  folder: MediaFolder,
  told: ToldCall,
): Promise<CallOutcome> {
  const call = MCP_CALLS.find((each) => each.name === told.call) as McpCall;
  const { server } = session;
  const scenario = new Scenario(told.lies);
  scenario.balanceUsd = call.asks.includes('top-up') ? 0 : 5;
  gateway.set(server.name, scenario);
  const printedBefore = server.command.err.length;
  const deadlineMs = patienceMs(told, call.family);
  const answer = await session.ask(call.method, call.params, AbortSignal.timeout(deadlineMs));
  const faults = [
    ...folder.faults(),
    ...faultsOfText(server.command.err.slice(printedBefore), 'standard error'),
    ...faultsOfSpending(server, scenario),
  ];
  if (scenario.seen.some(({ body }) => body.includes(SECRET))) faults.push('sent a private question in the clear');
  faults.push(...faultsOfAnswer(call, answer, scenario, folder));
  const isAlive = async (): Promise<boolean> =>
    (await session.ask('ping', {}, AbortSignal.timeout(ALIVE_TIMEOUT_MS))) !== null;
  // Retries, because the first ping can use a kept connection that is just being closed.
  if (!(await isAlive()) && !(await isAlive()))
    faults.push(`after that the server answers no more: ${server.client.fault ?? 'it is silent'}`);
  const ending =
    answer === null
      ? 'took long'
      : answer.includes('"isError":true') || answer.includes('"error":')
        ? 'refused'
        : 'done';
  return { faults, isDone: ending === 'done', ending: `${call.name} ${ending}` };
}

function faultsOfAnswer(call: McpCall, answer: string | null, { truths }: Scenario, folder: MediaFolder): string[] {
  const found = answer === null ? null : structuredContent(answer);
  if (found === null) return [];
  const { file, answer: text, signature } = found;
  if (typeof file === 'string' && !folder.holds(file)) return [`named the file ${JSON.stringify(file)}`];
  if (call.name === 'ask' && !(signature === 'verified' && truths.includes(String(text))))
    return [`handed on ${JSON.stringify(text)} with the signature ${String(signature)}`];
  return [];
}

function structuredContent(answer: string): Record<string, unknown> | null {
  const data =
    answer
      .split('\n')
      .find((line) => line.startsWith('data:'))
      ?.slice(5) ?? answer;
  try {
    const { result } = JSON.parse(data) as {
      result?: { isError?: boolean; structuredContent?: Record<string, unknown> };
    };
    return result?.isError === true ? null : (result?.structuredContent ?? null);
  } catch {
    return null;
  }
}

import type { Family } from './endpoint';
import { faultsOfText } from './faults';
import { SECRET } from './library-calls';
import { faultsOfSpending, type Server, SERVER_PER_DAY_USD } from './long-lived-clients';
import type { CallOutcome } from './call-outcome';
import { ALIVE_TIMEOUT_MS, patienceMs } from './patience';
import { Scenario } from './scenario';
import type { ScriptedGateway } from './scripted-gateway';
import type { ToldCall } from './told-lies';

const KEPT_BYTES_MAX = 4 * 1_048_576;

/** Command line of a proxy for each way in which it may treat chats. */
export const PROXIES = {
  encrypted: ['proxy', '--port', '0', '--allow-simulated', '--per-day', String(SERVER_PER_DAY_USD)],
  attested: [
    'proxy',
    '--port',
    '0',
    '--allow-simulated',
    '--privacy',
    'attested',
    '--per-day',
    String(SERVER_PER_DAY_USD),
  ],
} as const;
export type ProxyKind = keyof typeof PROXIES;

/** Program's request to a proxy. */
interface ProxyCall {
  name: string;
  family: Family;
  through: ProxyKind;
  asks: readonly string[];
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** Returns the text of a chat answer; null if the answer is incomplete. */
  textOf?: (body: string, contentType: string) => string | null;
}

const PAYING = ['top-up', 'sandbox'];
const CHATTING = ['chat', 'attestation', 'signature', 'models', 'charges'];
const chat = (stream: boolean) => ({ model: 'e2ee-guide', stream, messages: [{ role: 'user', content: SECRET }] });

const ofChats: readonly ProxyCall[] = (['encrypted', 'attested'] as const).flatMap((through) => [
  {
    name: `chat-whole-${through}`,
    family: 'chats' as const,
    through,
    asks: CHATTING,
    method: 'POST' as const,
    path: '/v1/chat/completions',
    body: chat(false),
    textOf: wholeChat,
  },
  {
    name: `chat-streamed-${through}`,
    family: 'chats' as const,
    through,
    asks: CHATTING,
    method: 'POST' as const,
    path: '/v1/chat/completions',
    body: chat(true),
    textOf: streamedChat,
  },
  {
    name: `responses-${through}`,
    family: 'chats' as const,
    through,
    asks: CHATTING,
    method: 'POST' as const,
    path: '/v1/responses',
    body: { model: 'e2ee-guide', input: SECRET },
    textOf: wholeResponse,
  },
  {
    name: `messages-${through}`,
    family: 'chats' as const,
    through,
    asks: CHATTING,
    method: 'POST' as const,
    path: '/v1/messages',
    body: { model: 'e2ee-guide', max_tokens: 100, messages: [{ role: 'user', content: SECRET }] },
    textOf: wholeMessage,
  },
  {
    name: `messages-streamed-${through}`,
    family: 'chats' as const,
    through,
    asks: CHATTING,
    method: 'POST' as const,
    path: '/v1/messages',
    body: { model: 'e2ee-guide', max_tokens: 100, stream: true, messages: [{ role: 'user', content: SECRET }] },
    textOf: streamedMessage,
  },
]);

export const PROXY_CALLS: readonly ProxyCall[] = [
  ...ofChats,
  {
    name: 'rpc',
    family: 'chains',
    through: 'encrypted',
    asks: ['rpc', 'charges', ...PAYING],
    method: 'POST',
    path: '/rpc/base-mainnet',
    body: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] },
  },
  { name: 'models', family: 'models', through: 'encrypted', asks: ['models'], method: 'GET', path: '/v1/models' },
  {
    name: 'balance',
    family: 'books',
    through: 'encrypted',
    asks: ['balance'],
    method: 'GET',
    path: '/v1/billing/balance',
  },
  {
    name: 'speech',
    family: 'media',
    through: 'encrypted',
    asks: ['speech', 'charges', ...PAYING],
    method: 'POST',
    path: '/v1/audio/speech',
    body: { model: 'tts-1', voice: 'af_sky', input: 'Hello', response_format: 'mp3' },
  },
  {
    name: 'queue-video',
    family: 'media',
    through: 'encrypted',
    asks: ['queue-video', 'charges', ...PAYING],
    method: 'POST',
    path: '/v1/video/queue',
    body: { model: 'video-1', prompt: 'A hill', duration: '5s', aspect_ratio: '16:9' },
  },
];

/** Makes a request to a proxy in the process under attack, and checks that the proxy still serves. */
export async function callProxy(gateway: ScriptedGateway, server: Server, told: ToldCall): Promise<CallOutcome> {
  const call = PROXY_CALLS.find((each) => each.name === told.call) as ProxyCall;
  const scenario = new Scenario(told.lies);
  scenario.balanceUsd = call.asks.includes('top-up') ? 0 : 5;
  gateway.set(server.name, scenario);
  const printedBefore = server.command.err.length;
  const deadlineMs = patienceMs(told, call.family);
  const answer = await asked(server, call, deadlineMs);
  const faults: string[] = [];
  if (answer !== null && call.textOf && answer.status === 200)
    faults.push(...faultsOfChat(call.textOf(answer.body, answer.contentType), scenario));
  if (call.through === 'encrypted' && scenario.seen.some(({ body }) => body.includes(SECRET)))
    faults.push('sent a private question in the clear');
  faults.push(
    ...faultsOfText(server.command.err.slice(printedBefore), 'standard error'),
    ...faultsOfSpending(server, scenario),
    ...(await faultsOfLife(server)),
  );
  return {
    faults,
    isDone: answer?.status === 200,
    ending: `${call.name} ${answer === null ? 'broke off' : answer.status}`,
  };
}

async function asked(
  { url, token }: Server,
  { method, path, body }: ProxyCall,
  deadlineMs: number,
): Promise<{ status: number; contentType: string; body: string } | null> {
  try {
    const init = {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(deadlineMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await fetch(url + path, init);
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: await beginningOf(response),
    };
  } catch {
    return null;
  }
}

/** Returns the start of an answer. Reads and discards the rest, which may be endless. */
async function beginningOf({ body }: Response): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    if (bytes < KEPT_BYTES_MAX) kept.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(kept).toString('utf8');
}

/** Returns a fault if the proxy has ended or no longer answers. */
async function faultsOfLife({ url, token, client }: Server): Promise<string[]> {
  try {
    const { status } = await fetch(`${url}/v1/nothing-here`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ALIVE_TIMEOUT_MS),
    });
    return status === 404 ? [] : [`after that the proxy answers ${status}`];
  } catch (error) {
    return [`after that the proxy answers no more: ${client.fault ?? String(error)}`];
  }
}

/** Returns a fault if a complete answer is not exactly the enclave's text. */
function faultsOfChat(text: string | null, { truths }: Scenario): string[] {
  return text === null || truths.includes(text)
    ? []
    : [`handed on ${JSON.stringify(text.slice(0, 200))} as a whole answer, which the enclave did not give`];
}

interface Choice {
  delta?: { content?: unknown };
  message?: { content?: unknown };
}

function wholeChat(body: string): string | null {
  const { choices } = JSON.parse(body) as { choices?: Choice[] };
  return asText(choices?.[0]?.message?.content);
}

/** Parses a stream as leniently as any SDK: accepts every form of the end marker. */
function streamedChat(body: string): string | null {
  const events = eventsOf(body);
  const end = events.findIndex((data) => data.trim() === '[DONE]');
  if (end < 0) return null;
  const chunks = events.slice(0, end).map((data) => JSON.parse(data) as { choices?: Choice[]; error?: unknown });
  return chunks.some(({ error }) => error != null)
    ? null
    : chunks.map(({ choices }) => asText(choices?.[0]?.delta?.content) ?? '').join('');
}

function wholeResponse(body: string): string | null {
  const { output, status } = JSON.parse(body) as { status?: string; output?: { content?: { text?: unknown }[] }[] };
  return status === 'completed'
    ? asText(output?.flatMap(({ content = [] }) => content.map(({ text }) => text)).join(''))
    : null;
}

function wholeMessage(body: string): string | null {
  const { content } = JSON.parse(body) as { content?: { type: string; text?: unknown }[] };
  return content
    ? content
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join('')
    : null;
}

function streamedMessage(body: string): string | null {
  const events = eventsOf(body).map((data) => JSON.parse(data) as { type?: string; delta?: { text?: unknown } });
  if (!events.some(({ type }) => type === 'message_stop') || events.some(({ type }) => type === 'error')) return null;
  return events.map(({ delta }) => asText(delta?.text) ?? '').join('');
}

function eventsOf(body: string): string[] {
  return body
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n\n')
    .flatMap((event) => {
      const data = event
        .split('\n')
        .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
      return data.length === 0 ? [] : [data.join('\n')];
    });
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

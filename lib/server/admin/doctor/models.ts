import { TOKEN_LIMIT_NAMES } from '@/lib/protocol/chat/chat-request';
import { recordOf } from '@/lib/protocol/json-record';
import { isLoopback } from '../../config/checks/upstreams';
import type { Config } from '../../config/load';
import { limitNamesFor, type Oddities, odditiesAfter, type Oddity } from '../../upstreams/models/server-oddities';
import { modelEntriesOf, NO_LIST_STATUSES } from '../../upstreams/models/model-list';
import { ask, whyUnusable } from './ask';
import { fault, type Finding, ok, warning } from './finding';

interface ModelServer {
  subject: string;
  /** Present only for a chat server. */
  chat?: { isEnclave: boolean; named: readonly string[] };
  url: string;
  key: { reveal(): string } | null;
  headers: Readonly<Record<string, { reveal(): string }>>;
}

export function modelServers({
  inference,
  speech,
  embeddings,
  images,
  transcriptions,
  video,
}: Pick<Config, 'inference' | 'speech' | 'embeddings' | 'images' | 'transcriptions' | 'video'>): ModelServer[] {
  return [
    ...inference.upstreams.map(({ name, url, key, headers, isEnclave }) => ({
      subject: `inference.${isEnclave ? 'enclaveUpstreams' : 'chatUpstreams'} ${name}`,
      url,
      key,
      headers,
      chat: { isEnclave, named: [...inference.models.keys()] },
    })),
    ...speech.upstreams.map(({ name, url, key, headers }) => ({
      subject: `speech.upstreams ${name}`,
      url,
      key,
      headers,
    })),
    ...Object.entries({ embeddings, images, transcriptions }).flatMap(([service, { upstreams }]) =>
      upstreams.map(({ name, url, key, headers }) => ({ subject: `${service}.upstreams ${name}`, url, key, headers })),
    ),
    ...video.upstreams.map(({ name, url, key }) => ({ subject: `video.upstreams ${name}`, url, key, headers: {} })),
  ];
}

/**
 * Checks that a model server answers and accepts the key, and finds which parts of the chat API the server does not
 * support. Never throws.
 */
export async function lookAtModels(
  { subject, url, key, headers: given, chat }: ModelServer,
  timeoutMs: number,
): Promise<Finding[]> {
  const headers = {
    ...(key ? { authorization: `Bearer ${key.reveal()}` } : {}),
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.reveal()])),
  };
  try {
    const { status, json } = await ask({ url: `${url}/models`, headers, timeoutMs });
    const entries = status === 200 ? modelEntriesOf(json) : null;
    const oddities = chat
      ? await lookAtChats(
          { subject, url, headers, isEnclave: chat.isEnclave, model: modelToAsk(entries, chat.named) },
          timeoutMs,
        )
      : [];
    return [
      listFinding(subject, {
        status,
        entries,
        isChat: chat !== undefined,
        isNamed: (chat?.named.length ?? 0) > 0,
        isBare: Array.isArray(json),
      }),
      ...oddities,
    ];
  } catch (error) {
    return [
      fault(
        subject,
        `The server cannot be used: ${whyUnusable(error)}.`,
        isLoopback(new URL(url).hostname)
          ? 'Start the server, or correct its port.'
          : 'Check that the URL is right and that the server runs.',
      ),
    ];
  }
}

/** Prefers a model that the configuration file lists. */
function modelToAsk(entries: readonly unknown[] | null, named: readonly string[]): string | null {
  const listed = (entries ?? [])
    .map((entry) => recordOf(entry)['id'])
    .filter((id): id is string => typeof id === 'string');
  return listed.find((id) => named.includes(id)) ?? listed[0] ?? named[0] ?? null;
}

function listFinding(
  subject: string,
  {
    status,
    entries,
    isChat,
    isNamed,
    isBare,
  }: { status: number; entries: readonly unknown[] | null; isChat: boolean; isNamed: boolean; isBare: boolean },
): Finding {
  if (status === 401 || status === 403)
    return fault(
      subject,
      `The server answered ${status}: the key is missing or wrong.`,
      'Set the right key for this server.',
    );
  if (NO_LIST_STATUSES.has(status) && isNamed)
    return ok(
      subject,
      'The server answers, but has no list of models at /models. The gateway offers the models that the configuration file lists.',
    );
  if (NO_LIST_STATUSES.has(status))
    return warning(
      subject,
      'The server answers, but has no list of models at /models.',
      'Check the end of the URL, which is usually /v1. If the URL is right, name the models in the configuration file.',
    );
  if (status !== 200)
    return fault(
      subject,
      `The server answered the request for its models with status ${status}.`,
      'Read the log of that server, and check the end of the URL, which is usually /v1.',
    );
  if (entries === null && isChat)
    return fault(
      subject,
      'The server answers, but its list of models has an unknown format.',
      'Check the end of the URL, which is usually /v1.',
    );
  if (entries?.length === 0)
    return warning(subject, 'The server answers, but offers no model.', 'Load a model on that server.');
  return ok(
    subject,
    `The server answers${entries ? `, and lists ${entries.length} model${entries.length === 1 ? '' : 's'}${isBare ? ', in a bare array' : ''}` : ''}.`,
  );
}

interface ChatServer {
  subject: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  isEnclave: boolean;
  /** Model to use in requests to the server; null if none is known. */
  model: string | null;
}

const ATTEMPTS_MAX = 4;

const SENTENCES: Readonly<Record<Oddity, string>> = {
  'two-limits':
    'The server refuses max_tokens together with max_completion_tokens. The gateway sends it only the field that the caller sent.',
  max_tokens: 'The server does not support max_tokens. The gateway sends it max_completion_tokens instead.',
  max_completion_tokens: 'The server does not support max_completion_tokens. The gateway sends it max_tokens instead.',
  images: 'The server accepts no images. The gateway replaces each with a line of text.',
  files: 'The server accepts no files. The gateway replaces each with a line of text.',
  stream_options:
    'The server refuses stream_options. The gateway leaves this field out. If a stream reports no usage, the gateway estimates its tokens.',
  response_format: 'The server refuses response_format. The gateway leaves this field out of requests for images.',
  reasoning_effort:
    'The model does not support reasoning_effort. The gateway leaves this field out of translated chats.',
};

/**
 * Checks which parts of the chat API a server does not support. Asks a server in an enclave for its protocols, and any
 * other server for an answer of one token.
 */
async function lookAtChats(server: ChatServer, timeoutMs: number): Promise<Finding[]> {
  try {
    return server.isEnclave ? await lookAtProtocols(server, timeoutMs) : await lookAtRefusals(server, timeoutMs);
  } catch {
    return [];
  }
}

async function lookAtRefusals({ subject, url, headers, model }: ChatServer, timeoutMs: number): Promise<Finding[]> {
  if (model === null) return [];
  let known: Oddities = new Set();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const request = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    const limits = limitNamesFor(request, false, known);
    const body = {
      model,
      messages: request.messages,
      stream: true,
      ...Object.fromEntries(limits.map((name) => [name, 1])),
      ...(!known.has('stream_options') && { stream_options: { include_usage: true } }),
    };
    const { status, json } = await ask({ url: `${url}/chat/completions`, headers, body, timeoutMs });
    if (status >= 200 && status < 300) return told(known).map((oddity) => ok(subject, SENTENCES[oddity]));
    const next = odditiesAfter({ status, headers: {}, body: Buffer.from(JSON.stringify(json ?? null)) }, known, {
      limits,
      streamOptions: !known.has('stream_options'),
      effort: false,
      attachments: new Set(),
    });
    if (next === null) return [];
    known = next;
  }
  return [];
}

/**
 * Returns the oddities to report. A server that refuses `max_tokens` or `max_completion_tokens` also refuses both
 * together, so `two-limits` is then omitted.
 */
function told(known: Oddities): Oddity[] {
  const isOneUnknown = TOKEN_LIMIT_NAMES.some((name) => known.has(name));
  return [...known].filter((oddity) => oddity !== 'two-limits' || !isOneUnknown);
}

/** Warns of ACI, a newer protocol of RedPill and Phala. The gateway does not support ACI. */
async function lookAtProtocols({ subject, url, headers }: ChatServer, timeoutMs: number): Promise<Finding[]> {
  const { status, json } = await ask({ url: `${url}/aci/attestation?nonce=${'0'.repeat(64)}`, headers, timeoutMs });
  if (status !== 200 || typeof json !== 'object' || json === null) return [];
  return [
    warning(
      subject,
      'The server also offers ACI (/aci/attestation, encryption version 2), which the gateway does not support. The gateway attests its models with /attestation/report.',
      'Do nothing, unless the models have no other report. docs/private-inference.md lists the supported families.',
    ),
  ];
}

import type { Config } from '../../config/load';
import { isLoopback } from '../../config/checks/upstreams';
import { ask, NoAnswer } from './ask';
import { lookAtChats } from './chat-oddities';
import { fault, type Finding, ok, warning } from './finding';
import { recordOf } from '@/lib/protocol/json-record';
import { modelEntriesOf } from '../../upstreams/models/model-list';

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

/** Checks that a model server answers and accepts the key, and how a chat server differs from others. Never throws. */
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
    const [first] = (entries ?? [])
      .map((entry) => recordOf(entry)['id'])
      .filter((id): id is string => typeof id === 'string');
    const oddities = chat
      ? await lookAtChats(
          { subject, url, headers, isEnclave: chat.isEnclave, model: chat.named[0] ?? first ?? null },
          timeoutMs,
        )
      : [];
    return [
      listFinding(subject, { status, entries, isNamed: (chat?.named.length ?? 0) > 0, isBare: Array.isArray(json) }),
      ...oddities,
    ];
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [
      fault(
        subject,
        `The server cannot be used: ${error.message}.`,
        isLoopback(new URL(url).hostname)
          ? 'Start the server, or correct its port.'
          : 'Check that the URL is right and that the server runs.',
      ),
    ];
  }
}

function listFinding(
  subject: string,
  {
    status,
    entries,
    isNamed,
    isBare,
  }: { status: number; entries: readonly unknown[] | null; isNamed: boolean; isBare: boolean },
): Finding {
  if (status === 401 || status === 403)
    return fault(
      subject,
      `The server answered ${status}: the key is missing or wrong.`,
      'Set the key of this server, from a variable.',
    );
  if (status === 404 && isNamed)
    return ok(
      subject,
      'The server answers, but has no list of models at /models. The gateway offers the models that the file names.',
    );
  if (status === 404)
    return warning(
      subject,
      'The server answers, but has no list of models at /models.',
      'Check that the URL ends like the API, usually in /v1. Otherwise name the models in the file.',
    );
  if (status !== 200)
    return fault(
      subject,
      `The server answered the request for its models with status ${status}.`,
      'Read the log of that server. The URL usually ends in /v1.',
    );
  if (entries?.length === 0)
    return warning(subject, 'The server answers, but has no model.', 'Load a model on that server.');
  return ok(
    subject,
    `The server answers${entries ? `, and lists ${entries.length} model${entries.length === 1 ? '' : 's'}${isBare ? ', in a bare array' : ''}` : ''}.`,
  );
}

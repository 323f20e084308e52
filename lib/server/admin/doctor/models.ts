import type { Config } from '../../config/load';
import { isLoopback } from '../../config/checks/upstreams';
import { ask, NoAnswer } from './ask';
import { lookAtChats } from './chat-oddities';
import { fault, type Finding, ok, warning } from './finding';
import { recordOf } from '@/lib/protocol/json-record';
import { modelEntriesOf } from '../../upstreams/models/model-list';

/** A server of models, whatever it makes. */
interface ModelServer {
  subject: string;
  /** Of a server of chats. */
  chat?: { isEnclave: boolean; named: readonly string[] };
  url: string;
  key: { reveal(): string } | null;
  headers: Readonly<Record<string, { reveal(): string }>>;
}

/** The servers of chat, speech and video that a configuration names. */
export function modelServers({
  inference,
  speech,
  video,
}: Pick<Config, 'inference' | 'speech' | 'video'>): ModelServer[] {
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
    ...video.upstreams.map(({ name, url, key }) => ({ subject: `video.upstreams ${name}`, url, key, headers: {} })),
  ];
}

/** Looks whether a server of models answers and takes the key, and how a server of chats differs from others. Never throws. */
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
        `No use can be made of it: ${error.message}.`,
        isLoopback(new URL(url).hostname)
          ? 'Start it, or correct its port.'
          : 'See that its URL is right and that it runs.',
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
    return fault(subject, `It answers ${status}: the key is missing or wrong.`, 'Give its key, from a variable.');
  if (status === 404 && isNamed)
    return ok(subject, 'It answers, and has no list of models at /models: it is asked for those that the file names.');
  if (status === 404)
    return warning(
      subject,
      'It answers, and has no list of models at /models.',
      'See that the URL ends as its API does, usually in /v1; else name its models in the file.',
    );
  if (status !== 200)
    return fault(
      subject,
      `It answers ${status} when it is asked for its models.`,
      'See its own log; the URL usually ends in /v1.',
    );
  if (entries?.length === 0) return warning(subject, 'It answers, and has no model.', 'Load a model there.');
  return ok(
    subject,
    `It answers${entries ? `, and lists ${entries.length} model${entries.length === 1 ? '' : 's'}${isBare ? ', in a bare array' : ''}` : ''}.`,
  );
}

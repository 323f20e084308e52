import type { Config } from '../../config/load';
import { isLoopback } from '../../config/checks/upstreams';
import { ask, NoAnswer } from './ask';
import { fault, type Finding, ok, warning } from './finding';

/** A server of models, whatever it makes. */
interface ModelServer {
  subject: string;
  url: string;
  key: { reveal(): string } | null;
  headers: Readonly<Record<string, { reveal(): string }>>;
}

/** The servers of chat, speech and video that a configuration names. */
export function modelServers({ inference, speech, video }: Pick<Config, 'inference' | 'speech' | 'video'>): ModelServer[] {
  return [
    ...inference.upstreams.map(({ name, url, key, headers, isEnclave }) => ({ subject: `inference.${isEnclave ? 'enclaveUpstreams' : 'chatUpstreams'} ${name}`, url, key, headers })),
    ...speech.upstreams.map(({ name, url, key, headers }) => ({ subject: `speech.upstreams ${name}`, url, key, headers })),
    ...video.upstreams.map(({ name, url, key }) => ({ subject: `video.upstreams ${name}`, url, key, headers: {} })),
  ];
}

/** Looks whether a server of models answers and takes the key. Never throws. */
export async function lookAtModels({ subject, url, key, headers: given }: ModelServer, timeoutMs: number): Promise<Finding> {
  const headers = { ...(key ? { authorization: `Bearer ${key.reveal()}` } : {}), ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.reveal()])) };
  try {
    const { status, json } = await ask({ url: `${url}/models`, headers, timeoutMs });
    if (status === 401 || status === 403) return fault(subject, `It answers ${status}: the key is missing or wrong.`, 'Give its key, from a variable.');
    if (status === 404) return warning(subject, 'It answers, and has no list of models at /models.', 'See that the URL ends as its API does, usually in /v1; else name its models in the file.');
    if (status !== 200) return fault(subject, `It answers ${status} when it is asked for its models.`, 'See its own log; the URL usually ends in /v1.');
    const { data } = (json ?? {}) as { data?: unknown };
    if (Array.isArray(data) && data.length === 0) return warning(subject, 'It answers, and has no model.', 'Load a model there.');
    return ok(subject, `It answers${Array.isArray(data) ? `, and lists ${data.length} model${data.length === 1 ? '' : 's'}` : ''}.`);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return fault(subject, `No use can be made of it: ${error.message}.`, isLoopback(new URL(url).hostname) ? 'Start it, or correct its port.' : 'See that its URL is right and that it runs.');
  }
}

import { type ChatGateway, chatGateway } from './chat-gateway';

/** Answer of `POST /audio/speech`: a file or an error. */
export interface SpeechAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json: { error?: string; code?: string; details?: Record<string, unknown> } | null;
}

/** Gateway over a test's speech servers. */
export interface SpeechGateway extends Pick<
  ChatGateway,
  'gateway' | 'origin' | 'key' | 'caller' | 'get' | 'charges' | 'units'
> {
  /** POST /audio/speech. */
  speak(
    body: unknown,
    options?: { key?: string | null; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
  /** Sends a request and returns the whole answer. */
  ask(body: unknown, options?: { key?: string | null; headers?: Record<string, string> }): Promise<SpeechAnswer>;
}

/** @param speech settings for the configuration; the default price is 15 USD per million characters */
export async function speechGateway(
  speech: Record<string, unknown>,
  grantNanoUsd = 1_000_000_000,
  settings: Record<string, unknown> = {},
): Promise<SpeechGateway> {
  const {
    gateway,
    origin,
    key: own,
    caller,
    get,
    charges,
    units,
  } = await chatGateway({}, grantNanoUsd, {
    speech: { models: { 'tts-kokoro': { usdPerMillionCharacters: '15' } }, ...speech },
    ...settings,
  });
  const speak: SpeechGateway['speak'] = (body, { key, signal, headers } = {}) =>
    fetch(`${origin}/api/v1/audio/speech`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key ?? own}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  const ask: SpeechGateway['ask'] = async (body, options) => {
    const response = await speak(body, options);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type') === 'application/json';
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: isJson ? (JSON.parse(bytes.toString('utf8')) as SpeechAnswer['json']) : null,
    };
  };
  return { gateway, origin, key: own, caller, get, charges, units, speak, ask };
}

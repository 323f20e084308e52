import { BodyParts } from '../../http/body-parts';
import { REQUEST_HEADERS } from '../../upstreams/request-headers';

interface Answer {
  status: number;
  json: unknown;
  /** Time in the `Date` header; null if absent. */
  servedAtMs: number | null;
  /** Time halfway between request and answer, by this machine's clock. */
  askedAtMs: number;
  tookMs: number;
}

export interface Question {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Body to send as JSON in a POST; absent for a GET. */
  body?: unknown;
  timeoutMs: number;
}

const ANSWER_BYTES_MAX = 1024 * 1024;

/** Thrown if a server gives no usable answer. The message omits the URL, whose path may contain a key. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export function whyUnusable(error: unknown): string {
  return error instanceof NoAnswer ? error.message : 'its answer has an unknown form';
}

/** Sends one request with limits on time and answer size. Follows no redirects. @throws NoAnswer */
export async function ask(
  { url, headers = {}, body, timeoutMs }: Question,
  now: () => number = Date.now,
): Promise<Answer> {
  const { target, credentials } = withoutCredentials(url);
  const startedAt = performance.now();
  const sentAtMs = now();
  try {
    const response = await fetch(target, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...REQUEST_HEADERS,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credentials,
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const tookMs = performance.now() - startedAt;
    const date = Date.parse(response.headers.get('date') ?? '');
    const text = await boundedText(response);
    return {
      status: response.status,
      json: parsed(text),
      servedAtMs: Number.isNaN(date) ? null : date,
      askedAtMs: sentAtMs + tookMs / 2,
      tookMs,
    };
  } catch (error) {
    throw new NoAnswer(reasonOf(error, timeoutMs));
  }
}

/** Calls a node's method. @throws NoAnswer if the node returns no result */
export async function askNode(
  method: string,
  params: readonly unknown[],
  request: Omit<Question, 'body'>,
  now?: () => number,
): Promise<Answer & { result: unknown }> {
  const answer = await ask({ ...request, body: { jsonrpc: '2.0', id: 1, method, params } }, now);
  const { result, error } = (answer.json ?? {}) as { result?: unknown; error?: { message?: unknown } | null };
  if (answer.status === 401 || answer.status === 403)
    throw new NoAnswer(`it answered ${answer.status}: the key in its URL or headers is missing or wrong`);
  if (error !== undefined && error !== null)
    throw new NoAnswer(
      `it answered ${method} with an error: ${String(error.message ?? 'without a message').slice(0, 120)}`,
    );
  if (answer.status !== 200 || result === undefined)
    throw new NoAnswer(
      `it answered ${method} with status ${answer.status} and ${answer.json === undefined ? 'no JSON' : 'no result'}`,
    );
  return { ...answer, result };
}

/** Moves a URL's user name and password into the Authorization header. `fetch` refuses URLs that contain them. */
function withoutCredentials(url: string): { target: string; credentials: Record<string, string> } {
  const target = new URL(url);
  const { username, password } = target;
  if (!username && !password) return { target: url, credentials: {} };
  target.username = target.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { target: target.href, credentials: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

async function boundedText(response: Response): Promise<string> {
  const parts = new BodyParts();
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.add(part.value);
    if (parts.length > ANSWER_BYTES_MAX) throw new NoAnswer('its answer is too long');
  }
  return parts.whole().toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Uses the error code, because the message may contain the URL. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof NoAnswer) return error.message;
  if (!(error instanceof Error)) return 'it did not answer';
  if (error.name === 'TimeoutError') return `it did not answer within ${timeoutMs} ms`;
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? `it cannot be reached (${code})` : 'it cannot be reached';
}

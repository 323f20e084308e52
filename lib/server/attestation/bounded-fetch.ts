import { collectAnswer } from '../upstreams/collected-answer';
import { UpstreamFailed } from '../upstreams/models/upstream-failure';

/** What a service is asked. */
export interface BoundedQuestion {
  /** How sentences name the service, instead of by its address. */
  name: string;
  url: string;
  /** Sent with POST; a GET without. */
  json?: string;
  /** From the first byte sent to the last byte received. */
  timeoutMs: number;
  bytesMax: number;
}

export interface BoundedAnswer {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** A service gave no answer that can be used, in a sentence that may be shown. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed';
}

/**
 * Asks a service outside and reads its whole answer, within a time and a size. Redirects are not followed.
 * @throws ServiceFailed for another status than 200, and where there is no answer in time or too much of it.
 */
export async function boundedFetch({ name, url, json, timeoutMs, bytesMax }: BoundedQuestion): Promise<BoundedAnswer> {
  const post =
    json === undefined
      ? {}
      : { body: json, headers: { 'content-type': 'application/json', accept: 'application/json' } };
  try {
    const { status, headers, body } = await collectAnswer(
      { url, method: json === undefined ? 'GET' : 'POST', ...post },
      { timeoutMs, bytesMax },
    );
    if (status !== 200) throw new ServiceFailed(`${name} answered with status ${status}.`);
    return { headers, body };
  } catch (error) {
    if (error instanceof ServiceFailed) throw error;
    throw new ServiceFailed(failureOf(name, bytesMax, error), { cause: error });
  }
}

function failureOf(name: string, bytesMax: number, error: unknown): string {
  const reason = error instanceof UpstreamFailed ? error.reason : null;
  if (reason === 'too-long') return `${name} answered with more than ${bytesMax} bytes.`;
  return reason === 'timeout' ? `${name} did not answer in time.` : `${name} does not answer.`;
}

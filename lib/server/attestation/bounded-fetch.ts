import { collectAnswer } from '../upstreams/collected-answer';
import { UpstreamFailed } from '../upstreams/models/upstream-error';

interface BoundedRequest {
  /** Name of the service in messages, which must not show the service's address. */
  name: string;
  url: string;
  json?: string;
  timeoutMs: number;
  bytesMax: number;
}

export interface BoundedAnswer {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Error of an external service that failed. Callers may see the message. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed';
}

/**
 * Sends a request to an external service and reads the whole answer. Follows no redirects.
 * @throws ServiceFailed for any failure, including a status other than 200
 */
export async function boundedFetch({ name, url, json, timeoutMs, bytesMax }: BoundedRequest): Promise<BoundedAnswer> {
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

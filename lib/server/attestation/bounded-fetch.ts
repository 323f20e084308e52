import { request } from 'undici';

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
  const signal = AbortSignal.timeout(timeoutMs);
  const post = json === undefined ? {} : { method: 'POST' as const, body: json, headers: { 'content-type': 'application/json', accept: 'application/json' } };
  try {
    const { statusCode, headers, body } = await request(url, { ...post, signal });
    if (statusCode !== 200) {
      await body.dump({ limit: bytesMax, signal });
      throw new ServiceFailed(`${name} answered with status ${statusCode}.`);
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new ServiceFailed(`${name} answered with more than ${bytesMax} bytes.`);
      chunks.push(chunk);
    }
    return { headers, body: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof ServiceFailed) throw error;
    throw new ServiceFailed(signal.aborted ? `${name} did not answer in time.` : `${name} does not answer.`, { cause: error });
  }
}

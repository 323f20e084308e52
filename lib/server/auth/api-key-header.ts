import type { Call } from '../http/call';

/** Header in which Anthropic's clients send a key. */
const API_KEY_HEADER = 'x-api-key';

/** Converts `x-api-key` into a bearer token, unless there is an Authorization header. */
export function withApiKeyHeader(call: Call): Call {
  const key = call.header(API_KEY_HEADER);
  return key === null || call.header('authorization') !== null ? call : new ApiKeyCall(call, `Bearer ${key}`);
}

class ApiKeyCall implements Call {
  readonly method: Call['method'];
  readonly path: Call['path'];
  readonly params: Call['params'];
  readonly query: Call['query'];
  readonly requestId: Call['requestId'];
  readonly clientIp: Call['clientIp'];
  readonly record: Call['record'];
  readonly whenGone: Call['whenGone'];

  constructor(
    private readonly call: Call,
    private readonly authorization: string,
  ) {
    ({
      method: this.method,
      path: this.path,
      params: this.params,
      query: this.query,
      requestId: this.requestId,
      clientIp: this.clientIp,
      record: this.record,
      whenGone: this.whenGone,
    } = call);
  }

  header(name: string): string | null {
    return name === 'authorization' ? this.authorization : this.call.header(name);
  }

  headerNames(): Iterable<string> {
    return this.call.headerNames();
  }

  readBody(bytesMax: number): Uint8Array | Promise<Uint8Array> {
    return this.call.readBody(bytesMax);
  }

  streamBody(bytesMax: number): AsyncIterable<Uint8Array> {
    return this.call.streamBody(bytesMax);
  }
}

import type { Call } from './call';

export class DelegatedCall implements Call {
  readonly method: Call['method'];
  readonly path: Call['path'];
  readonly params: Call['params'];
  readonly query: Call['query'];
  readonly requestId: Call['requestId'];
  readonly clientIp: Call['clientIp'];
  readonly record: Call['record'];
  readonly whenGone: Call['whenGone'];

  constructor(protected readonly call: Call) {
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
    return this.call.header(name);
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

import type { Socket } from 'node:net';
import { bodyTooLarge, type Call, type WhenGone } from '../call';
import { clientAddress } from '../client-address';
import { newRequestId } from '../request-id';
import { RequestRecord } from '../request-record';
import type { RequestHead } from './request-head';

const NO_QUERY = new URLSearchParams();

/** Request that has arrived completely. */
export class FastPathCall implements Call {
  readonly method = 'POST';
  readonly query = NO_QUERY;
  readonly requestId = newRequestId();
  readonly record = new RequestRecord(this);
  answered = false;
  #isGone = false;
  #listeners: Set<() => void> | null = null;

  readonly whenGone: WhenGone = (listener) => {
    if (this.#isGone) {
      listener();
      return () => undefined;
    }
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  constructor(
    private readonly head: RequestHead,
    private readonly body: Buffer,
    readonly params: Readonly<Record<string, string>>,
    private readonly socket: Socket,
    private readonly trustProxyHops: number,
  ) {}

  get path(): string {
    return this.head.path;
  }

  get clientIp(): string {
    return clientAddress(this.socket.remoteAddress ?? '', (name) => this.header(name), this.trustProxyHops);
  }

  header(name: string): string | null {
    return this.head.header(name);
  }

  headerNames(): string[] {
    return this.head.headerNames();
  }

  readBody(bytesMax: number): Uint8Array {
    if (this.body.length > bytesMax) throw bodyTooLarge(bytesMax);
    return this.body;
  }

  async *streamBody(bytesMax: number): AsyncGenerator<Uint8Array> {
    yield this.readBody(bytesMax);
  }

  gone(): void {
    if (this.answered || this.#isGone) return;
    this.#isGone = true;
    for (const listener of this.#listeners ?? []) listener();
    this.#listeners = null;
  }
}

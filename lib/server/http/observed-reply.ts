import { type BodySink, isPushBody, type PushBody, type Reply } from './call';
import type { RequestRecord } from './request-record';

/** Calls `over` when the reply ends: immediately for a whole body, or at the end of a streamed body. */
export function observed(reply: Reply, record: RequestRecord, over: () => void): Reply {
  const { body } = reply;
  if (isPushBody(body)) reply.body = new ObservedBody(body, record, over);
  else over();
  return reply;
}

class ObservedBody implements PushBody {
  #isOver = false;

  constructor(
    private readonly body: PushBody,
    private readonly record: RequestRecord,
    private readonly over: () => void,
  ) {
    record.pushedBytes = 0;
  }

  get bytes(): number | undefined {
    return this.body.bytes;
  }

  start(sink: BodySink): void {
    this.body.start(new CountingSink(sink, this.record));
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
    if (!this.#isOver) this.record.isCut = true;
    this.#end();
    this.body.cancel();
  }

  sent(): void {
    this.#end();
    this.body.sent?.();
  }

  #end(): void {
    if (!this.#isOver) this.over();
    this.#isOver = true;
  }
}

class CountingSink implements BodySink {
  constructor(
    private readonly sink: BodySink,
    private readonly record: RequestRecord,
  ) {}

  write(bytes: Uint8Array): boolean {
    this.record.pushedBytes = (this.record.pushedBytes ?? 0) + bytes.byteLength;
    return this.sink.write(bytes);
  }

  end(): void {
    this.sink.end();
  }

  fail(): void {
    this.sink.fail();
  }

  drop(): void {
    this.sink.drop();
  }
}

import type { BodySink, PushBody, Reply } from './call';
import type { Endpoint } from './endpoint';

/** Hears how each request came out. It is on the way of every call, and must be quick. */
export interface RequestObserver {
  /**
   * @param seconds until a whole answer was made, or the last of a pushed one was handed over or given up.
   * @param code of the table of errors; null for an answer that is none.
   */
  observe(endpoint: Endpoint, status: number, seconds: number, code: string | null): void;
}

/** A reply that tells when it is over: at once where it is whole, at its end where it is pushed. */
export function observed(reply: Reply, over: () => void): Reply {
  const { body } = reply;
  if (typeof body !== 'object' || body === null || !('cancel' in body && 'start' in body)) {
    over();
    return reply;
  }
  reply.body = new ObservedBody(body, over);
  return reply;
}

class ObservedBody implements PushBody {
  #isOver = false;

  constructor(
    private readonly body: PushBody,
    private readonly over: () => void,
  ) {}

  start(sink: BodySink): void {
    this.body.start(sink);
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
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

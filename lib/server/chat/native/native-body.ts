import { type AnswerEvents, eventText } from '@/lib/protocol/translation/answer-translation';
import type { BodySink, PushBody } from '../../http/call';
import { BROKEN_ANSWER } from '../own-events';

/**
 * Relays a stream of the Responses or Messages API. Ends a broken stream with an error event, because clients repeat a
 * call whose connection breaks.
 */
export class NativeBody implements PushBody {
  constructor(
    private readonly body: PushBody,
    private readonly events: AnswerEvents,
    private readonly onBroken: () => void,
  ) {}

  start(sink: BodySink): void {
    this.body.start({
      write: (bytes) => sink.write(bytes),
      end: () => sink.end(),
      fail: () => {
        this.onBroken();
        sink.write(Buffer.from(this.events.fail(BROKEN_ANSWER).map(eventText).join('')));
        sink.end();
      },
      drop: () => sink.drop(),
    });
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
    this.body.cancel();
  }

  sent(): void {
    this.body.sent?.();
  }
}

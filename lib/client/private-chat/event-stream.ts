import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { EventStreamFault, EventStreamReader } from '@/lib/protocol/event-stream/event-stream-reader';
import { PrivateChatError } from './private-chat-error';

/** Maximum size of an event in bytes. An event can contain an image. */
const EVENT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads the data of a chat's events from chunks. Refuses a truncated last event, except `[DONE]` without its blank
 * line.
 */
export class EventReader {
  readonly #events = new EventStreamReader(EVENT_BYTES_MAX, chatDataOf);

  /** @returns data of the completed events @throws {PrivateChatError} */
  push(bytes: Uint8Array): string[] {
    return withData(this.each(bytes));
  }

  /**
   * @returns data of each completed event; null for a comment or ping
   * @throws {PrivateChatError}
   */
  each(bytes: Uint8Array): (string | null)[] {
    return faultsTold(() => this.#events.push(bytes)).map((data) => (data === null || isBlank(data) ? null : data));
  }

  /** @throws {PrivateChatError} REPLY_CUT if an event is incomplete */
  end(): string[] {
    const { events, cut } = faultsTold(() => this.#events.end());
    if (cut !== null && !isDone(cut)) throw new PrivateChatError('REPLY_CUT', 'The reply ends within an event.');
    return withData([...events, cut]);
  }
}

function withData(events: readonly (string | null)[]): string[] {
  return events.filter((data): data is string => data !== null && !isBlank(data));
}

function isBlank(data: string): boolean {
  return !/\S/.test(data);
}

function faultsTold<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof EventStreamFault)) throw cause;
    throw cause.fault === 'too-long'
      ? new PrivateChatError('REPLY_TOO_LONG', 'An event of the reply is too long.', null, { cause })
      : new PrivateChatError('REPLY_MALFORMED', 'The reply is not UTF-8.', null, { cause });
  }
}

import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { EventStreamFault, EventStreamReader } from '@/lib/protocol/event-stream/event-stream-reader';
import { PrivateChatError } from './private-chat-error';

/** Longest event. A picture in an event may take this much. */
const EVENT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads the data of a chat's events from a body that comes in chunks. An event that the end of the body cuts short is
 * refused, unless it is `[DONE]` without its empty line.
 */
export class EventReader {
  readonly #events = new EventStreamReader(EVENT_BYTES_MAX, chatDataOf);

  /** Takes the next bytes. @returns the data of the events that they complete @throws {PrivateChatError} */
  push(bytes: Uint8Array): string[] {
    return withData(this.each(bytes));
  }

  /** Takes the next bytes. @returns the data of each event, and null for an event without data, such as a comment or a ping @throws {PrivateChatError} */
  each(bytes: Uint8Array): (string | null)[] {
    return faultsTold(() => this.#events.push(bytes)).map((data) => (data === null || isBlank(data) ? null : data));
  }

  /** Ends the stream. @throws {PrivateChatError} REPLY_CUT where an event is not whole */
  end(): string[] {
    const { events, cut } = faultsTold(() => this.#events.end());
    if (cut !== null && !isDone(cut)) throw new PrivateChatError('REPLY_CUT', 'The last event is not whole.');
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
      ? new PrivateChatError('REPLY_TOO_LONG', 'One of its events does not end.', null, { cause })
      : new PrivateChatError('REPLY_MALFORMED', 'It is not UTF-8.', null, { cause });
  }
}

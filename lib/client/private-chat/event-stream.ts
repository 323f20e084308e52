import { PrivateChatError } from './private-chat-error';

/** Of one event; no model sends one so long. */
const EVENT_CHARACTERS_MAX = 4 * 1024 * 1024;

/**
 * Reads the data of server-sent events (WHATWG HTML, section 9.2.6) from a body that comes in parts. Comments and
 * other fields are left out. An event that the end of the body cuts short is refused, unless it is `[DONE]` without
 * its empty line.
 */
export class EventReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #rest = '';
  #searched = 0;
  #data: string[] = [];
  #dataCharacters = 0;

  /** Takes the next bytes. @returns the data of the events that they complete @throws {PrivateChatError} */
  push(bytes: Uint8Array): string[] {
    return this.#lines(this.#decode(bytes));
  }

  /** Ends the stream. @throws {PrivateChatError} REPLY_CUT where an event is not whole */
  end(): string[] {
    const last = this.#decode();
    const events = this.#rest === '' && last === '' ? [] : this.#lines(`${last}\n`);
    if (this.#data.length === 0) return events;
    const data = this.#data.join('\n');
    if (data !== '[DONE]') throw new PrivateChatError('REPLY_CUT', 'The last event is not whole.');
    return [...events, data];
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw new PrivateChatError('REPLY_MALFORMED', 'It is not UTF-8.', null, { cause });
    }
  }

  #lines(text: string): string[] {
    this.#rest += text;
    if (this.#rest.length + this.#dataCharacters > EVENT_CHARACTERS_MAX) throw new PrivateChatError('REPLY_TOO_LONG', 'One of its events does not end.');
    const events: string[] = [];
    let start = 0;
    for (let end = this.#rest.indexOf('\n', this.#searched); end >= 0; end = this.#rest.indexOf('\n', start)) {
      const line = this.#rest.slice(start, this.#rest[end - 1] === '\r' && end > start ? end - 1 : end);
      start = end + 1;
      const event = this.#line(line);
      if (event !== null) events.push(event);
    }
    this.#rest = this.#rest.slice(start);
    this.#searched = this.#rest.length;
    return events;
  }

  /** @returns the data of the event that this line ends */
  #line(line: string): string | null {
    if (line !== '') {
      const data = /^data(?:: ?|$)/.exec(line)?.[0];
      if (data !== undefined) {
        this.#data.push(line.slice(data.length));
        this.#dataCharacters += line.length;
      }
      return null;
    }
    if (this.#data.length === 0) return null;
    const event = this.#data.join('\n');
    this.#data = [];
    this.#dataCharacters = 0;
    return event;
  }
}

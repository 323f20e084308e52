/** One event of a stream, by its name; without one it is of the form of chats. */
export interface NamedEvent {
  event: string | null;
  data: object;
}

/** An event as it goes over the wire (WHATWG HTML, section 9.2.6). */
export function eventText({ event, data }: NamedEvent): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

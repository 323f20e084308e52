/** Event of a stream. Chat streams have no event names. */
export interface NamedEvent {
  event: string | null;
  data: object;
}

export function eventText({ event, data }: NamedEvent): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

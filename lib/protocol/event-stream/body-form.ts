import { isEventStream } from './event-stream-reader';

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
/**
 * First bytes of event stream lines: comment, `data`, `event`, `error`, `id`, `retry`. JSON and markup never start with
 * them.
 */
const FIELD_BEGINNINGS: readonly number[] = [...':deir'].map((letter) => letter.charCodeAt(0));
const BRACE = 0x7b;

export type BodyForm = 'events' | 'whole';

/**
 * Decides by content type and first byte whether a body is an event stream. Some servers send events as text/plain, or
 * JSON as text/event-stream.
 *
 * @param beginning first bytes of the body
 * @returns null if only whitespace has arrived
 */
export function bodyFormOf(contentType: string | null | undefined, beginning: Uint8Array): BodyForm | null {
  let at = 0;
  while (
    at < beginning.length &&
    (WHITE_SPACE.includes(beginning[at] as number) || BYTE_ORDER_MARK.includes(beginning[at] as number))
  )
    at++;
  const first = beginning[at];
  if (first === undefined) return null;
  if (isEventStream(contentType)) return first === BRACE ? 'whole' : 'events';
  return FIELD_BEGINNINGS.includes(first) ? 'events' : 'whole';
}

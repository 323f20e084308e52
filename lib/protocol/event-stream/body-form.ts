import { isEventStream } from './event-stream-reader';

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
/** Begin a line of an event stream (a comment, `data`, `event`, `error`, `id`, `retry`), and no JSON and no markup. */
const FIELD_BEGINNINGS: readonly number[] = [...':deir'].map((letter) => letter.charCodeAt(0));
const BRACE = 0x7b;

/** How the body of an answer is to be read. */
export type BodyForm = 'events' | 'whole';

/**
 * Tells an event stream from a whole answer. The first byte decides beside the content type: some servers send events as
 * text/plain or JSON as text/event-stream. No field of an event stream begins with a brace.
 * @param beginning of the body
 * @returns null where nothing has come but white space
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

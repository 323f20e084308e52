import { dataOf } from '../event-stream/event-stream-reader';
import { parsedRecord } from '../json-record';
import { errorOf } from './answer-error';

const CHUNK_BEGINNING = /^\s*[{[]/;
const MESSAGE = 'message';

/**
 * Returns the data of a chat event; null for a ping or an event without data. A ping has an event name other than
 * `message`, and data that does not begin like JSON. For an event named `error`, or with an `error` field (llama.cpp),
 * returns JSON with a top-level error.
 *
 * @param event text of the event, with all lines
 */
export function chatDataOf(event: string): string | null {
  const [name, error, data] = [dataOf(event, ['event']), dataOf(event, ['error']), dataOf(event)];
  if (error !== null || /^error\b/.test(name ?? '')) return errorData(error ?? data ?? '');
  if (data === null || (name !== null && name !== '' && name !== MESSAGE && !CHUNK_BEGINNING.test(data))) return null;
  return data;
}

function errorData(text: string): string {
  const json = parsedRecord(text);
  return json !== null && errorOf(json) !== null
    ? text
    : JSON.stringify({ error: json ?? (text.trim() === '' ? true : text) });
}

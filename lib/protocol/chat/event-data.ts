import { dataOf } from '../event-stream/event-stream-reader';
import { parsedRecord } from '../json-record';
import { errorOf } from './answer-error';

/** A named event that carries none of these is a ping, whatever its text says. */
const CHUNK_BEGINNING = /^\s*[{[]/;
const MESSAGE = 'message';

/**
 * Returns the data of an event of a chat; null where it has none. An error that the event names, or that stands in a field
 * of its own (llama.cpp), is returned as JSON with the error at its top level. Text under another name is a ping.
 * @param event all of its lines
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

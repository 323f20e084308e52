import { stringifyExact } from '@/lib/client/exact-json';
import { TurnpikeError } from '../src/turnpike-error';

/**
 * What a terminal obeys instead of showing it: controls but tabs and line breaks (C0, DEL, C1), embeddings, overrides
 * and isolates of writing directions (Unicode, UAX #9), and separators of lines and paragraphs.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** A text from elsewhere as a terminal may be given it: what would move its cursor, name its window or turn its text around shows as a mark. */
export function printable(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** The same on one line, so that no text can pass for a line of this program. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\t\n]+/g, ' ');
}

/**
 * A value as JSON that a terminal may be given: controls are escaped, so that programs read them as they were.
 * @param indent 2 for JSON that people read too
 * @throws {TurnpikeError} ANSWER_MALFORMED for a value that is nested too deeply
 */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return escapedJson(stringifyExact(value, indent));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TurnpikeError('ANSWER_MALFORMED', {
      message: 'The answer is nested too deeply, or is too long, to be shown.',
      cause,
    });
  }
}

/** JSON whose controls are escaped; outside of texts it has line breaks and spaces alone. */
export function escapedJson(json: string): string {
  return json.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

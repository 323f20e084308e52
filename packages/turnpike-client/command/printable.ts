import { stringifyExact } from '@/lib/client/exact-json';
import { TurnpikeError } from '../src/turnpike-error';

/**
 * Characters that a terminal interprets: control characters other than tab and line break; bidirectional embeddings,
 * overrides and isolates (Unicode, UAX #9); line and paragraph separators.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes untrusted text safe for a terminal. Replaces characters that could move the cursor, set the title or reorder
 * text.
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** Makes a text printable on one line, so that it cannot imitate output of this program. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\t\n]+/g, ' ');
}

/**
 * Formats JSON for a terminal. Escapes controls; JSON parsers decode the escapes to the original text.
 * @param indent indentation: 2 if people also read the JSON
 * @throws {TurnpikeError} ANSWER_MALFORMED for too deep nesting
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

/** Escapes control characters in JSON. They occur only inside strings, because `CONTROLS` excludes line breaks. */
export function escapedJson(json: string): string {
  return json.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

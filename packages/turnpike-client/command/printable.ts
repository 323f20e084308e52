/** Control characters but tabs and line breaks: a terminal would obey them. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text from elsewhere as a terminal may be given it: what would move its cursor, or name its window, shows as a mark. */
export function printable(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\t\n]+/g, ' ');
}

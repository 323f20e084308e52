/** A part of a document that can stand as an answer. */
export interface Section {
  /** The document's name, such as `docs/operating.md`. */
  document: string;
  /** Its heading and those above it. */
  heading: string;
  text: string;
}

/** The name under which the operations of the API stand, beside the documents. */
export const API_REFERENCE = 'API reference';

/** What stands between a heading and the one above it. */
export const HEADING_SEPARATOR = ' › ';

const HEADING = /^(#{1,4})\s+(.+?)\s*#*$/;
const FENCE = /^(?:```|~~~)/;

/** Cuts a document in Markdown at its headings. Sections without text are left out. */
export function splitMarkdown(document: string, markdown: string): Section[] {
  const sections: Section[] = [];
  const path: string[] = [];
  let lines: string[] = [];
  let isCode = false;
  const close = () => {
    const text = lines.join('\n').trim();
    if (text !== '')
      sections.push({ document, heading: path.filter(Boolean).join(HEADING_SEPARATOR) || document, text });
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const match = isCode ? null : HEADING.exec(line);
    if (match === null) {
      lines.push(line);
      continue;
    }
    close();
    const level = (match[1] as string).length;
    path.length = level - 1;
    path[level - 1] = match[2] as string;
  }
  close();
  return sections;
}

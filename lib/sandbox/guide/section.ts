export interface Section {
  /** Document name, such as `docs/operating.md`. */
  document: string;
  /** The section's heading, preceded by the headings above it. */
  heading: string;
  text: string;
}

/** Document name of sections that describe API operations. */
export const API_REFERENCE = 'API reference';

export const HEADING_SEPARATOR = ' › ';

const HEADING = /^(#{1,4})\s+(.+?)\s*#*$/;
const FENCE = /^(?:```|~~~)/;

/** Splits a Markdown document at its headings. Omits sections without text. */
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

const ELLIPSIS = '...';

/**
 * Breaks a text into at most `rows` lines of at most `columns` characters, between words if possible. An ellipsis ends
 * a text that does not fit.
 */
export function wrapText(text: string, columns: number, rows: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    for (const piece of piecesOf(word, columns)) {
      if (line === '') line = piece;
      else if (line.length + 1 + piece.length <= columns) line += ` ${piece}`;
      else {
        lines.push(line);
        line = piece;
      }
      if (lines.length > rows) return cut(lines, columns, rows);
    }
  }
  if (line !== '') lines.push(line);
  return lines.length > rows ? cut(lines, columns, rows) : lines;
}

function piecesOf(word: string, columns: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < word.length; at += columns) pieces.push(word.slice(at, at + columns));
  return pieces;
}

function cut(lines: readonly string[], columns: number, rows: number): string[] {
  const kept = lines.slice(0, rows);
  const last = kept.pop() ?? '';
  return [...kept, last.slice(0, Math.max(0, columns - ELLIPSIS.length)).trimEnd() + ELLIPSIS];
}

const THOUGHTS_END = '</think>';
const FENCE = '```';

/**
 * Removes reasoning and the text around a fenced block from a reply that should be JSON; null if nothing was removed or
 * nothing is left.
 */
export function documentWithin(reply: string): string | null {
  const thoughtsEnd = reply.lastIndexOf(THOUGHTS_END);
  const said = (thoughtsEnd < 0 ? reply : reply.slice(thoughtsEnd + THOUGHTS_END.length)).trim();
  const document = fencedIn(said) ?? said;
  return document === reply || document === '' ? null : document;
}

/**
 * Returns the content of the first fenced block without its language; null if there is no block. An unclosed block ends
 * with the reply.
 */
function fencedIn(text: string): string | null {
  const open = text.indexOf(FENCE);
  if (open < 0) return null;
  const lineEnd = text.indexOf('\n', open);
  if (lineEnd < 0) return null;
  const close = text.lastIndexOf(FENCE);
  return text.slice(lineEnd + 1, close > lineEnd ? close : undefined).trim();
}

const THOUGHTS_END = '</think>';
const FENCE = '```';

/** The JSON document in a reply that has something around it: thoughts before it, or a fenced block. Null where there is no other text than the reply. */
export function documentWithin(reply: string): string | null {
  const thoughtsEnd = reply.lastIndexOf(THOUGHTS_END);
  const said = (thoughtsEnd < 0 ? reply : reply.slice(thoughtsEnd + THOUGHTS_END.length)).trim();
  const document = fencedIn(said) ?? said;
  return document === reply || document === '' ? null : document;
}

/** What the first fenced block holds, without the name of its language; null where there is none. A block that the reply does not close ends with it. */
function fencedIn(text: string): string | null {
  const open = text.indexOf(FENCE);
  if (open < 0) return null;
  const lineEnd = text.indexOf('\n', open);
  if (lineEnd < 0) return null;
  const close = text.lastIndexOf(FENCE);
  return text.slice(lineEnd + 1, close > lineEnd ? close : undefined).trim();
}

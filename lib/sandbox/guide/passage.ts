import { termsOf } from './words';

/** How long a passage may be; a shorter section is quoted whole. */
const CHARACTERS_MAX = 1_200;
/** A longer table loses rows. */
const TABLE_CHARACTERS_MAX = 900;
/** A block is quoted if it fits at least this well compared with the best. */
const RELATIVE_WORTH_MIN = 0.35;
const ROWS_MAX = 6;
/** A longer list is quoted item by item. */
const LIST_CHARACTERS_MAX = 600;
/** What stands early counts for more: at the beginning, as much as this part of the best block. */
const EARLY_BONUS = 0.6;

interface Block {
  text: string;
  worth: number;
}

/**
 * The part of a section that answers a question: its first paragraph, and the paragraphs, rows of tables, items of
 * lists and pieces of code that have most of the question's words, in their order; "…" stands for what is left out.
 *
 * @param rarity how much a stem is worth
 */
export function passageFor(text: string, question: string, rarity: (term: string) => number): string {
  if (text.length <= CHARACTERS_MAX) return text;
  const asked = new Set(termsOf(question).words);
  const worthOf = (part: string) =>
    [...new Set(termsOf(part).words)].filter((word) => asked.has(word)).reduce((sum, word) => sum + rarity(word), 0);
  const blocks = blocksOf(text).map((part) => shortened({ text: part, worth: worthOf(part) }, worthOf));
  const best = Math.max(...blocks.map(({ worth }) => worth)) || 1;
  const weighed = blocks.map((block, place) => ({
    ...block,
    worth: block.worth + best * EARLY_BONUS * (1 - place / blocks.length),
  }));
  return joined(weighed, chosen(weighed));
}

/** Paragraphs, tables, pieces of code and lists; the items of a long list one by one. */
function blocksOf(text: string): string[] {
  const blocks = text.match(/(?:^(```|~~~)[\s\S]*?^\1[^\n]*)|(?:^[^\n]+(?:\n(?!```|~~~)[^\n]+)*)/gm) ?? [];
  return blocks.flatMap((block) =>
    block.length > LIST_CHARACTERS_MAX && isItem(block) ? block.split(/\n(?=(?:[-*]|\d+\.) )/) : [block],
  );
}

/** A long table loses the rows that fit least, a long paragraph its end. */
function shortened({ text, worth }: Block, worthOf: (part: string) => number): Block {
  const lines = text.split('\n');
  if (text.startsWith('|') && text.length > TABLE_CHARACTERS_MAX) {
    const rows = lines.slice(2).map((row) => ({ row, worth: worthOf(row) }));
    const best = new Set([...rows].sort((a, b) => b.worth - a.worth).slice(0, ROWS_MAX));
    const kept = rows.filter((row) => best.has(row) && (row.worth > 0 || worth === 0)).map(({ row }) => row);
    return {
      text: [...lines.slice(0, 2), ...kept, kept.length < rows.length ? '| … |' : ''].join('\n').trimEnd(),
      worth,
    };
  }
  return { text: text.length > CHARACTERS_MAX && !isCode(text) ? cut(text) : text, worth };
}

/** The places of the blocks to quote: the first, for what it is about, then the best ones while there is room. */
function chosen(blocks: readonly Block[]): Set<number> {
  const places = new Set<number>();
  let room = CHARACTERS_MAX;
  const best = Math.max(...blocks.map(({ worth }) => worth));
  const byWorth = blocks
    .map((_, place) => place)
    .sort((a, b) => (blocks[b]?.worth ?? 0) - (blocks[a]?.worth ?? 0) || a - b);
  for (const place of [0, ...byWorth]) {
    const { text, worth } = blocks[place] as Block;
    if (places.has(place) || text.length > room || (place > 0 && worth < RELATIVE_WORTH_MIN * best)) continue;
    places.add(place);
    room -= text.length;
    // Code shows what the paragraph before it says.
    const next = blocks[place + 1];
    if (next && text.endsWith(':') && next.text.length <= room) {
      places.add(place + 1);
      room -= next.text.length;
    }
  }
  return places.size > 0 ? places : new Set(byWorth.slice(0, 1));
}

function joined(blocks: readonly Block[], places: ReadonlySet<number>): string {
  const parts: string[] = [];
  let isAfterGap = false;
  for (const [place, { text }] of blocks.entries()) {
    if (!places.has(place)) isAfterGap = true;
    else {
      if (isAfterGap && parts.length > 0) parts.push('…');
      parts.push(text);
      isAfterGap = false;
    }
  }
  return parts.reduce(
    (text, part, place) =>
      `${text}${place === 0 ? '' : isItem(part) && isItem(parts[place - 1] ?? '') ? '\n' : '\n\n'}${part}`,
    '',
  );
}

function isItem(block: string): boolean {
  return /^(?:[-*]|\d+\.) /.test(block);
}

/** Up to a sentence's end, or a word's. */
function cut(text: string): string {
  const start = text.slice(0, CHARACTERS_MAX - 2);
  const end = start.lastIndexOf('. ') + 1 || start.lastIndexOf(' ');
  return `${start.slice(0, end > 0 ? end : start.length).trimEnd()} …`;
}

function isCode(text: string): boolean {
  return /^(?:```|~~~)/.test(text);
}

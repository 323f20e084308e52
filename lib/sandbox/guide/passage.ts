import { termsOf } from './words';

const CHARACTERS_MAX = 1_200;
/** Length above which a table loses rows. */
const TABLE_CHARACTERS_MAX = 900;
/** Minimum score of a quoted block, as a share of the best block's score. */
const RELATIVE_WORTH_MIN = 0.35;
const ROWS_MAX = 6;
/** Length above which list items count as separate blocks. */
const LIST_CHARACTERS_MAX = 600;
/** Bonus of the first block, as a share of the best block's score. Later blocks get a smaller bonus. */
const EARLY_BONUS = 0.6;

interface Block {
  text: string;
  worth: number;
}

/**
 * Returns the part of a section that answers a question: its first paragraph and the blocks with the most words of the
 * question, in document order. "…" marks each gap.
 *
 * @param rarity returns the weight of a stem
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

function blocksOf(text: string): string[] {
  const blocks = text.match(/(?:^(```|~~~)[\s\S]*?^\1[^\n]*)|(?:^[^\n]+(?:\n(?!```|~~~)[^\n]+)*)/gm) ?? [];
  return blocks.flatMap((block) =>
    block.length > LIST_CHARACTERS_MAX && isItem(block) ? block.split(/\n(?=(?:[-*]|\d+\.) )/) : [block],
  );
}

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
    // A paragraph that ends with a colon introduces the next block, so both are quoted.
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

function cut(text: string): string {
  const start = text.slice(0, CHARACTERS_MAX - 2);
  const end = start.lastIndexOf('. ') + 1 || start.lastIndexOf(' ');
  return `${start.slice(0, end > 0 ? end : start.length).trimEnd()} …`;
}

function isCode(text: string): boolean {
  return /^(?:```|~~~)/.test(text);
}

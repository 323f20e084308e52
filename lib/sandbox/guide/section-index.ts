import type { Section } from './section';

/** A section with how well it answers a question; more is better. */
export interface Finding {
  section: Section;
  score: number;
}

/** BM25 (Robertson and Zaragoza, 2009) with its usual constants; a heading's words count three times. */
const K1 = 1.2;
const B = 0.75;
const HEADING_WEIGHT = 3;
const QUESTION_TERMS_MAX = 64;

const STOP_WORDS = new Set('a an and are as at be but by can do does for from has have how i if in is it its me my not of on or that the this to was what when where which who why will with you your'.split(' '));

/** An index of sections by their words. */
export class SectionIndex {
  readonly #entries: { section: Section; counts: Map<string, number>; length: number }[];
  readonly #documentFrequency = new Map<string, number>();
  readonly #averageLength: number;

  constructor(sections: readonly Section[]) {
    this.#entries = sections.map((section) => {
      const terms = [...termsOf(section.text), ...Array.from({ length: HEADING_WEIGHT }, () => termsOf(section.heading)).flat()];
      const counts = new Map<string, number>();
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const term of counts.keys()) this.#documentFrequency.set(term, (this.#documentFrequency.get(term) ?? 0) + 1);
      return { section, counts, length: terms.length };
    });
    this.#averageLength = this.#entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, this.#entries.length);
  }

  /** The sections that answer a question best, best first; none where no word of it occurs. */
  find(question: string, limit: number): Finding[] {
    const terms = [...new Set(termsOf(question))].slice(-QUESTION_TERMS_MAX);
    return this.#entries
      .map(({ section, counts, length }) => ({ section, score: terms.reduce((sum, term) => sum + this.#score(term, counts, length), 0) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  #score(term: string, counts: ReadonlyMap<string, number>, length: number): number {
    const count = counts.get(term) ?? 0;
    if (count === 0) return 0;
    const having = this.#documentFrequency.get(term) ?? 0;
    const rarity = Math.log(1 + (this.#entries.length - having + 0.5) / (having + 0.5));
    return (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#averageLength));
  }
}

/** The words of a text, in lower case, with plural and verb endings cut off, so that "keys" finds "key". */
export function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

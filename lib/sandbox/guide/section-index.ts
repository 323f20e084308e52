import { API_REFERENCE, HEADING_SEPARATOR, type Section } from './section';
import { synonymsOf } from './synonyms';
import { termsOf } from './words';

/** Section with its score. Higher is better. */
export interface Finding {
  section: Section;
  score: number;
}

/**
 * BM25 over several fields (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004).
 * A word in a heading weighs more than a word in the text. Matches in long fields weigh less.
 */
const K1 = 1.2;
const FIELDS = {
  title: { weight: 2.5, b: 0.3 },
  heading: { weight: 4, b: 0.4 },
  above: { weight: 1, b: 0.3 },
  lead: { weight: 1.5, b: 0.6 },
  body: { weight: 1, b: 0.75 },
  code: { weight: 0.4, b: 0.75 },
} as const;
type Field = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as Field[];

const SYNONYM_WEIGHT = 0.5;
const PAIR_WEIGHT = 0.7;
const LINK_LIST_WEIGHT = 0.3;
/**
 * Minimum factor for coverage: a section that matches few of the question's words keeps at least this share of its
 * score.
 */
const COVERAGE_FLOOR = 0.3;
/** Maximum bonus for a heading whose words equal the question's words. */
const HEADING_MATCH_BONUS = 0.6;
const DEFINITION_BONUS = 0.4;
/** Documents for the gateway's developers rank below those for users, unless the question asks why. */
const INTERNAL_DOCUMENTS = /(?:decisions|architecture|guarantees|third-party|CONTRIBUTING)\.md$/;
const INTERNAL_WEIGHT = 0.55;
/** Factor for the description of a single endpoint, so that explanations rank above it. */
const API_REFERENCE_WEIGHT = 0.75;
const QUESTION_TERMS_MAX = 64;
const QUESTION_CHARACTERS_MAX = 4_000;

interface Entry {
  section: Section;
  heading: ReadonlySet<string>;
  counts: Record<Field, Map<string, number>>;
  lengths: Record<Field, number>;
  titled: ReadonlySet<string>;
  isInternal: boolean;
  isLinkList: boolean;
  /** Terms that the section's first sentence defines: the words before "is" or "are". */
  defines: ReadonlySet<string>;
}

export class SectionIndex {
  readonly #entries: Entry[];
  readonly #documentFrequency = new Map<string, number>();
  readonly #averageLengths: Record<Field, number>;

  constructor(sections: readonly Section[]) {
    this.#entries = sections.map(entryOf);
    for (const { counts } of this.#entries) {
      for (const term of new Set(FIELD_NAMES.flatMap((field) => [...counts[field].keys()])))
        this.#documentFrequency.set(term, (this.#documentFrequency.get(term) ?? 0) + 1);
    }
    this.#averageLengths = recordOf(
      (field) =>
        this.#entries.reduce((sum, { lengths }) => sum + lengths[field], 0) / Math.max(1, this.#entries.length),
    );
  }

  /** Returns the best sections, best first. Empty if no section contains a word of the question. */
  find(question: string, limit: number): Finding[] {
    const { words, pairs } = termsOf(question.slice(-QUESTION_CHARACTERS_MAX));
    const asked = {
      words: [...new Set(words)].slice(-QUESTION_TERMS_MAX),
      pairs: [...new Set(pairs)].slice(-QUESTION_TERMS_MAX),
      isWhy: /\bwhy\b/i.test(question),
      isWhat: /\bwhat(?:'s|’s| is| are)\b|\bdefine\b|\bmean/i.test(question),
    };
    return this.#entries
      .map((entry) => ({ section: entry.section, score: this.#score(entry, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** Returns the inverse document frequency of a stem: near 0 if all sections contain it. */
  rarity(term: string): number {
    const having = this.#documentFrequency.get(term) ?? 0;
    return Math.log(1 + (this.#entries.length - having + 0.5) / (having + 0.5));
  }

  #score(
    entry: Entry,
    asked: { words: readonly string[]; pairs: readonly string[]; isWhy: boolean; isWhat: boolean },
  ): number {
    let [score, matched, total] = [0, 0, 0];
    for (const word of asked.words) {
      const own = this.#termScore(entry, word);
      const [best, weight] =
        own > 0
          ? [own, 1]
          : [
              Math.max(0, ...synonymsOf(word).map((other) => this.#termScore(entry, other))) * SYNONYM_WEIGHT,
              SYNONYM_WEIGHT,
            ];
      score += best;
      total += this.rarity(word);
      matched += best > 0 ? weight * this.rarity(word) : 0;
    }
    if (score === 0) return 0;
    for (const pair of asked.pairs) score += PAIR_WEIGHT * this.#termScore(entry, pair);
    score *= COVERAGE_FLOOR + (1 - COVERAGE_FLOOR) * (matched / total);
    const words = new Set(asked.words);
    const defined = asked.isWhat && entry.defines.size > 0 ? overlap(entry.defines, words) : 0;
    score *=
      1 +
      HEADING_MATCH_BONUS * Math.max(overlap(entry.heading, words), overlap(entry.titled, words)) +
      DEFINITION_BONUS * defined;
    if (entry.isLinkList) score *= LINK_LIST_WEIGHT;
    if (entry.section.document === API_REFERENCE) score *= API_REFERENCE_WEIGHT;
    return entry.isInternal && !asked.isWhy ? score * INTERNAL_WEIGHT : score;
  }

  #termScore({ counts, lengths }: Entry, term: string): number {
    let frequency = 0;
    for (const field of FIELD_NAMES) {
      const count = counts[field].get(term) ?? 0;
      const { weight, b } = FIELDS[field];
      if (count > 0)
        frequency += (weight * count) / (1 - b + (b * lengths[field]) / Math.max(1, this.#averageLengths[field]));
    }
    return frequency === 0 ? 0 : (this.rarity(term) * frequency * (K1 + 1)) / (frequency + K1);
  }
}

function entryOf(section: Section): Entry {
  const above = section.heading.split(HEADING_SEPARATOR);
  const heading = above.pop() ?? '';
  const code: string[] = [];
  const prose = section.text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => (code.push(block), ''));
  const [lead = ''] = prose.trim().split(/\n\n/);
  const texts: Record<Field, string> = {
    title: `${above[0] ?? heading} ${section.document.replace(/^.*\/|\.md$/g, '')}`,
    heading,
    above: above.slice(1).join(' '),
    lead,
    body: prose,
    code: code.join('\n'),
  };
  const terms = recordOf((field) => termsOf(texts[field]));
  const subject = /^(?:an?|the)?\s*(.{2,60}?)(?:\s*\([^)]*\))?\s+(?:is|are)\s/i.exec(lead)?.[1] ?? '';
  return {
    section,
    heading: new Set(terms.heading.words),
    titled: new Set([...terms.heading.words, ...termsOf(above[0] ?? '').words]),
    counts: recordOf((field) => countsOf([...terms[field].words, ...terms[field].pairs])),
    lengths: recordOf((field) => terms[field].words.length),
    isInternal: INTERNAL_DOCUMENTS.test(section.document),
    isLinkList: isLinkList(section.text),
    defines: new Set(termsOf(subject).words),
  };
}

function isLinkList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.filter((line) => /^[-*] +\[/.test(line)).length > lines.length / 2;
}

/** Returns the Jaccard similarity of two sets, from 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / Math.max(1, one.size + other.size - shared);
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function recordOf<T>(make: (field: Field) => T): Record<Field, T> {
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, make(field)])) as Record<Field, T>;
}

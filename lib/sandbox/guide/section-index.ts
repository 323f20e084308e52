import { NEWCOMERS_DOCUMENT } from './console-page';
import { API_REFERENCE, HEADING_SEPARATOR, type Section } from './section';
import { allStemsOf, synonymsOf, termsOf } from './words';

/** Section with its score. Higher is better. */
interface Finding {
  section: Section;
  score: number;
}

/**
 * BM25 over several fields (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004).
 * A word in a heading weighs more. Matches in long fields weigh less.
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
/** A section that matches few of the question's words keeps at least this share of its score. */
const COVERAGE_FLOOR = 0.3;
/** Maximum bonus for a heading whose words equal the question's words. */
const HEADING_MATCH_BONUS = 0.6;
const DEFINITION_BONUS = 0.4;
/** Documents for developers of the gateway rank below those for users, unless the question asks why. */
const INTERNAL_DOCUMENTS = /(?:decisions|architecture|guarantees|third-party|threats|style|CONTRIBUTING)\.md$/;
const INTERNAL_WEIGHT = 0.55;
/** Factor for the description of a single endpoint, so that explanations rank above it. */
const API_REFERENCE_WEIGHT = 0.75;
/** Maximum bonus for a heading in the newcomers' document. Its overlap with the question includes stop words. */
const NEWCOMERS_BONUS = 0.6;
const FIRST_SECTION_BONUS = 0.08;
/**
 * Minimum share of a question's words, weighted by rarity, that the best section must match. Below this share, the
 * question gets a result only if a title contains a word or its synonym.
 */
const KNOWN_MIN = 0.6;
/** Weight of words that no document contains, such as a greeting in another language. */
const UNSEEN_WEIGHT = 0.1;
/** Title words that do not identify a subject. */
const NO_SUBJECTS = new Set(['first', 'dai', 'found', 'show', 'question']);
/** Minimum overlap with a heading if the question has only stop words. */
const STOP_WORDS_OVERLAP_MIN = 0.3;
const INTRODUCTION = 'What is this?';
const QUESTION_TERMS_MAX = 64;
const QUESTION_CHARACTERS_MAX = 4_000;

interface Entry {
  section: Section;
  heading: ReadonlySet<string>;
  counts: Record<Field, Map<string, number>>;
  lengths: Record<Field, number>;
  titled: ReadonlySet<string>;
  /** Stems of all words in the heading, including stop words. */
  allHeading: ReadonlySet<string>;
  isInternal: boolean;
  isLinkList: boolean;
  /** Words before "is" or "are" in the section's first sentence. */
  defines: ReadonlySet<string>;
}

export class SectionIndex {
  readonly #entries: Entry[];
  readonly #documentFrequency = new Map<string, number>();
  readonly #subjects: ReadonlySet<string>;
  readonly #averageLengths: Record<Field, number>;

  constructor(sections: readonly Section[]) {
    this.#entries = sections.map(entryOf);
    this.#subjects = new Set(
      this.#entries
        .filter((entry) => !entry.isInternal && entry.section.document !== API_REFERENCE)
        .flatMap(({ section: { document, heading } }) => {
          const names = heading.split(HEADING_SEPARATOR).slice(0, document === NEWCOMERS_DOCUMENT ? 2 : 1);
          return termsOf(names.join(' ')).words;
        })
        .filter((word) => !NO_SUBJECTS.has(word)),
    );
    for (const { counts } of this.#entries) {
      for (const term of new Set(FIELD_NAMES.flatMap((field) => [...counts[field].keys()])))
        this.#documentFrequency.set(term, (this.#documentFrequency.get(term) ?? 0) + 1);
    }
    this.#averageLengths = recordOf(
      (field) =>
        this.#entries.reduce((sum, { lengths }) => sum + lengths[field], 0) / Math.max(1, this.#entries.length),
    );
  }

  /** Returns the best sections, best first. Empty if the question's subject is unknown. */
  find(question: string, limit: number): Finding[] {
    const { words, pairs } = termsOf(question.slice(-QUESTION_CHARACTERS_MAX));
    const asked = {
      words: [...new Set(words)].slice(-QUESTION_TERMS_MAX),
      pairs: [...new Set(pairs)].slice(-QUESTION_TERMS_MAX),
      all: allStemsOf(question.slice(-QUESTION_CHARACTERS_MAX)),
      isWhy: /\bwhy\b/i.test(question),
      isWhat: /\bwhat(?:'s|’s| is| are)\b|\bdefine\b|\bmean/i.test(question),
    };
    if (asked.words.length === 0) return this.#findByHeading(question).slice(0, limit);
    const found = this.#entries
      .map((entry) => ({ section: entry.section, ...this.#score(entry, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
    const isSubject = (word: string) => [word, ...synonymsOf(word)].some((each) => this.#subjects.has(each));
    return (found[0]?.share ?? 0) >= KNOWN_MIN || asked.words.some(isSubject) ? found : [];
  }

  /** Answers a question of stop words only, such as "Who are you?", by heading or with an introduction. */
  #findByHeading(question: string): Finding[] {
    const asked = allStemsOf(question);
    const introduction = this.#entries.filter(({ section }) => section.heading.endsWith(INTRODUCTION));
    const found = this.#entries
      .map(({ section, allHeading }) => ({ section, score: overlap(allHeading, asked) }))
      .filter(({ score }) => score >= STOP_WORDS_OVERLAP_MIN)
      .sort((a, b) => b.score - a.score);
    return found.length > 0 || asked.size === 0 ? found : introduction.map(({ section }) => ({ section, score: 1 }));
  }

  /** Returns the inverse document frequency of a stem: near 0 if all sections contain it. */
  rarity(term: string): number {
    const having = this.#documentFrequency.get(term) ?? 0;
    return Math.log(1 + (this.#entries.length - having + 0.5) / (having + 0.5));
  }

  #score(
    entry: Entry,
    asked: {
      words: readonly string[];
      pairs: readonly string[];
      all: ReadonlySet<string>;
      isWhy: boolean;
      isWhat: boolean;
    },
  ): { score: number; share: number } {
    let [score, matched, total, known] = [0, 0, 0, 0];
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
      total += this.rarity(word) * (best > 0 || this.#documentFrequency.has(word) ? 1 : UNSEEN_WEIGHT);
      matched += best > 0 ? weight * this.rarity(word) : 0;
      known += best > 0 ? 1 : 0;
    }
    if (score === 0) return { score, share: 0 };
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
    if (entry.section.document === NEWCOMERS_DOCUMENT)
      score *= 1 + NEWCOMERS_BONUS * overlap(entry.allHeading, asked.all);
    if (!entry.section.heading.includes(HEADING_SEPARATOR)) score *= 1 + FIRST_SECTION_BONUS;
    if (entry.isInternal && !asked.isWhy) score *= INTERNAL_WEIGHT;
    // A single known word in a longer question says little about the question's subject.
    return { score, share: known > 1 || asked.words.length === 1 ? matched / total : 0 };
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
    allHeading: allStemsOf(heading),
    isInternal: isInternal(section.document),
    isLinkList: isLinkList(section.text),
    defines: new Set(termsOf(subject).words),
  };
}

export function isInternal(document: string): boolean {
  return INTERNAL_DOCUMENTS.test(document);
}

function isLinkList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.filter((line) => /^[-*] +\[/.test(line)).length > lines.length / 2;
}

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

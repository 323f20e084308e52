import type { Section } from './section';
import { SectionIndex } from './section-index';

/** What the guide says to a question. */
export interface GuideAnswer {
  /** The whole answer, in Markdown. */
  text: string;
  /** The passage alone that fits best; empty where none does. */
  passage: string;
  isFound: boolean;
}

const PASSAGES = 2;
const PASSAGE_CHARACTERS_MAX = 900;
/** A second passage is worth showing if it fits at least this well compared with the first. */
const RELATIVE_SCORE_MIN = 0.6;
const WHAT_IT_IS = 'I am a retrieval stand-in, not a language model: I answer with passages of this gateway’s documentation and make nothing up.';

/** Answers questions about this gateway from its own documentation, and says that this is all it does. */
export class Guide {
  readonly #index: SectionIndex;
  readonly #headings: string[];

  constructor(sections: readonly Section[]) {
    this.#index = new SectionIndex(sections);
    this.#headings = [...new Set(sections.map(({ heading }) => heading.split(' › ')[0] as string))].slice(0, 8);
  }

  answer(question: string): GuideAnswer {
    const findings = this.#index.find(question, PASSAGES);
    const [best] = findings;
    if (!best) return { text: `${WHAT_IT_IS} Nothing in it matches your question. It is about: ${this.#headings.join(', ') || 'nothing yet'}.`, passage: '', isFound: false };
    const worthShowing = findings.filter(({ score }) => score >= RELATIVE_SCORE_MIN * best.score);
    const passages = worthShowing.map(({ section }) => `**${section.heading}** (${section.document})\n\n${excerpt(section.text)}`);
    return { text: [WHAT_IT_IS, ...passages].join('\n\n'), passage: excerpt(best.section.text), isFound: true };
  }
}

/** The first paragraphs that fit; a paragraph that does not is cut at a sentence, or at a word. */
function excerpt(text: string): string {
  if (text.length <= PASSAGE_CHARACTERS_MAX) return text;
  const cut = text.slice(0, PASSAGE_CHARACTERS_MAX);
  const end = Math.max(cut.lastIndexOf('\n\n'), cut.lastIndexOf('. ') + 1, 0) || cut.lastIndexOf(' ');
  return `${cut.slice(0, end > 0 ? end : cut.length).trimEnd()} …`;
}

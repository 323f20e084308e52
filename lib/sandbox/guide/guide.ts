import { passageFor } from './passage';
import { API_REFERENCE, HEADING_SEPARATOR, type Section } from './section';
import { SectionIndex } from './section-index';

/** What the guide says to a question. */
export interface GuideAnswer {
  /** The whole answer, in Markdown. */
  text: string;
  /** The passage alone that fits best; empty where none does. */
  passage: string;
  isFound: boolean;
}

const FINDINGS = 3;
/** Another section is worth naming if it fits at least this well compared with the first. */
const RELATIVE_SCORE_MIN = 0.35;
const WHAT_IT_IS =
  'I am a retrieval stand-in, not a language model: I quote this gateway’s documentation and make nothing up.';

/** Answers questions about this gateway from its own documentation, and says that this is all it does. */
export class Guide {
  #made: SectionIndex | undefined;
  readonly #topics: string[];

  constructor(private readonly sections: readonly Section[]) {
    this.#topics = [
      ...new Set(
        sections
          .filter(({ document }) => document !== API_REFERENCE)
          .map(({ heading }) => heading.split(HEADING_SEPARATOR)[0] as string),
      ),
    ];
  }

  /** Made for the first question: that takes longer than all else that a start of the sandbox does, and many are asked none. */
  get #index(): SectionIndex {
    return (this.#made ??= new SectionIndex(this.sections));
  }

  /** Quotes the passage that fits best, under the name of its document, and names sections that fit nearly as well. */
  answer(question: string): GuideAnswer {
    const [best, ...others] = this.#index.find(question, FINDINGS);
    if (!best)
      return {
        text: `${WHAT_IT_IS} Nothing in it matches your question. It covers: ${this.#topics.join(', ') || 'nothing yet'}.`,
        passage: '',
        isFound: false,
      };
    const passage = withoutLocalLinks(passageFor(best.section.text, question, (term) => this.#index.rarity(term)));
    const further = others
      .filter(({ score }) => score >= RELATIVE_SCORE_MIN * best.score)
      .map(({ section }) => nameOf(section));
    const parts = [
      `**${nameOf(best.section)}**`,
      quoted(passage),
      ...(further.length > 0 ? [`See also ${further.join('; ')}.`] : []),
      `*${WHAT_IT_IS}*`,
    ];
    return { text: parts.join('\n\n'), passage, isFound: true };
  }
}

/** Where a passage stands: the document and the headings below its title. */
function nameOf({ document, heading }: Section): string {
  const [title = '', ...below] = heading.split(HEADING_SEPARATOR);
  return `${document}: ${below.length > 0 ? below.join(HEADING_SEPARATOR) : title}`;
}

function quoted(passage: string): string {
  return passage.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** Links to other documents lead nowhere from an answer: their words are kept, and their pictures are not. */
function withoutLocalLinks(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\((?!https?:)[^)]*\)\n*/g, '')
    .replace(/\[([^\]]*)\]\((?!https?:|mailto:)([^)]*)\)/g, '$1')
    .trim();
}

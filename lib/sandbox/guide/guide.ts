import { consolePageOf } from './console-page';
import { passageFor } from './passage';
import { API_REFERENCE, HEADING_SEPARATOR, type Section } from './section';
import { isInternal, SectionIndex } from './section-index';

export interface GuideAnswer {
  text: string;
  /** Quoted passage without the rest of the answer. Empty if no section matches. */
  passage: string;
  isFound: boolean;
}

const FINDINGS = 3;
/** Minimum score of the sections after the best, as a share of the best score. */
const RELATIVE_SCORE_MIN = 0.35;
const WHAT_IT_IS =
  'I am a retrieval stand-in, not a language model: I quote this gateway’s documentation and make nothing up.';

/** Answers questions about this gateway by quoting its documentation, and says that no language model is involved. */
export class Guide {
  #made: SectionIndex | undefined;
  readonly #topics: string[];

  constructor(private readonly sections: readonly Section[]) {
    this.#topics = [
      ...new Set(
        sections
          .filter(({ document }) => document !== API_REFERENCE && !isInternal(document))
          .map(({ heading }) => heading.split(HEADING_SEPARATOR)[0] as string),
      ),
    ];
  }

  /** The index is built on the first question, because building it takes longer than the sandbox's start. */
  get #index(): SectionIndex {
    return (this.#made ??= new SectionIndex(this.sections));
  }

  /**
   * Quotes a passage of the best section under the section's name. Lists sections with similar scores, and links to the
   * section's console page.
   */
  answer(question: string): GuideAnswer {
    const [best, ...others] = this.#index.find(question, FINDINGS);
    if (!best)
      return {
        text: `I do not know. ${WHAT_IT_IS} Nothing in it matches your question. It covers: ${this.#topics.join(', ') || 'nothing yet'}.`,
        passage: '',
        isFound: false,
      };
    const passage = withoutLocalLinks(passageFor(best.section.text, question, (term) => this.#index.rarity(term)));
    const further = others
      .filter(({ score }) => score >= RELATIVE_SCORE_MIN * best.score)
      .map(({ section }) => nameOf(section));
    const page = consolePageOf(best.section);
    const parts = [
      `**${nameOf(best.section)}**`,
      quoted(passage),
      ...(further.length > 0 ? [`See also:\n${further.map((name) => `- ${name}`).join('\n')}`] : []),
      ...(page === null ? [] : [`Open the page [${page.title}](${page.href}).`]),
      `*${WHAT_IT_IS}*`,
    ];
    return { text: parts.join('\n\n'), passage, isFound: true };
  }
}

function nameOf({ document, heading }: Section): string {
  const [title = '', ...below] = heading.split(HEADING_SEPARATOR);
  return `${document}: ${below.length > 0 ? below.join(HEADING_SEPARATOR) : title}`;
}

function quoted(passage: string): string {
  return passage.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** Replaces local links with their text and removes local images, because neither would resolve in an answer. */
function withoutLocalLinks(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\((?!https?:)[^)]*\)\n*/g, '')
    .replace(/\[([^\]]*)\]\((?!https?:|mailto:)([^)]*)\)/g, '$1')
    .trim();
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { inRepository, repositoryRoot } from './repository.mjs';

/** Limits for documents, asserted by `scripts/words.test.mjs`. */
export const DOCUMENT_BOUNDS = {
  words: 60_000,
  longCells: 0,
  longSentences: 40,
  decisions: 60,
  wordsOfDecision: 120,
};
const CELL_WORDS_MAX = 60;
const SENTENCE_WORDS_MAX = 40;

const DOCUMENT = /^(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$/;
const PRODUCT = /^(?:(?:app|components|lib|packages)\/.*|[\w-]+)\.(?:ts|tsx|mjs)$/;
const TEST = /\.(?:test|spec)\.|(?:^|\/)testing\//;
/** Files that a test searches for mentions of documents. */
const TEXT = /\.(?:ts|tsx|mjs|css|sql|ya?ml|sh|sol|json)$|(?:^|\/)Dockerfile$/;
const GENERATED = /^(?:package-lock\.json|.*\/(?:testing\/vectors|databases|recordings|fixtures)\/.*)$/;
/** First words of a docstring that is a fragment, because it begins with a relation instead of a verb or a noun. */
const FRAGMENT =
  /^(?:Of|Under (?:which|what)|The same|Which|Whose|(?:By|In|To|For|From|With) (?:which|what|whom|whose))\b/;

/**
 * Lists tracked and new files: documents, product code, and texts that may name a document.
 *
 * @returns {{documents: string[], product: string[], texts: string[]}} paths from the root of the repository
 */
export function countedFiles() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(inRepository(file)));
  return {
    documents: files.filter((file) => DOCUMENT.test(file)),
    product: files.filter((file) => PRODUCT.test(file) && !TEST.test(file)),
    texts: files.filter((file) => TEXT.test(file) && !GENERATED.test(file)),
  };
}

/** @param {string} text @returns {number} words separated by white space, as `wc -w` counts them */
function wordsIn(text) {
  return text.match(/\S+/g)?.length ?? 0;
}

/** @param {string} markdown @returns {string} the text without fenced code blocks */
const prose = (markdown) => markdown.replace(/^( *)```[\s\S]*?^\1```/gm, '');

/** @param {string} line @returns {string[]} the cells of one table row; `\|` does not separate cells */
const cellsOf = (line) => line.replace(/^\s*\||\|\s*$/g, '').split(/(?<!\\)\|/);

/** @param {string} line */
const isRow = (line) => /^\s*\|/.test(line);

/**
 * Finds table cells of more than 60 words.
 *
 * @param {string} markdown
 * @returns {string[]} the cells
 */
export function longCells(markdown) {
  return prose(markdown)
    .split('\n')
    .filter(isRow)
    .flatMap(cellsOf)
    .map((cell) => cell.trim())
    .filter((cell) => wordsIn(cell) > CELL_WORDS_MAX);
}

/**
 * Finds sentences of more than 40 words, in paragraphs, list items and table cells. A link counts as its text.
 *
 * @param {string} markdown
 * @returns {string[]} the sentences
 */
export function longSentences(markdown) {
  const lines = prose(markdown).split('\n');
  const cells = lines.filter(isRow).flatMap(cellsOf);
  const blocks = lines
    .map((line) => (isRow(line) || /^#/.test(line) ? '' : line.replace(/^\s*(?:[-*]|\d+\.) /, '\n\n')))
    .join('\n')
    .split(/\n\s*\n/);
  return [...blocks, ...cells]
    .map((block) => block.replace(/\]\([^)]*\)/g, ']').replace(/\s+/g, ' '))
    .flatMap((block) => block.split(/(?<=[.!?][)*”"]?) (?=[\p{Lu}`[*“"(])/u))
    .filter((sentence) => wordsIn(sentence) > SENTENCE_WORDS_MAX);
}

/**
 * Reads the decisions in one file of `docs/decisions`. Each begins with a heading such as `## 12. Title`.
 *
 * @param {string} markdown
 * @returns {{id: string, words: number, text: string}[]}
 */
export function decisionsIn(markdown) {
  return markdown
    .split(/^(?=## )/m)
    .filter((text) => text.startsWith('## '))
    .map((text) => ({ id: /^## (\d+)\. /.exec(text)?.[1] ?? '', words: wordsIn(text), text }));
}

const COMMENT = /(?<=^|[\s{(,;])(?:\/\*([\s\S]*?)\*\/|\/\/(.*)$)/gm;

/** @param {string} code @returns {string[]} comments without delimiters; docstrings keep a leading `*` */
function commentsIn(code) {
  return [...code.matchAll(COMMENT)].map(([, block, line]) => block ?? line ?? '');
}

/** @param {string} code @returns {number} lines that have code; blank lines and comments do not count */
export function codeLines(code) {
  return code.replace(COMMENT, '').match(/^.*\S/gm)?.length ?? 0;
}

/** @param {string} code @returns {number} words of all comments, without the stars at the line starts */
export function commentWords(code) {
  return commentsIn(code).reduce((sum, comment) => sum + wordsIn(comment.replace(/^\s*\*+ ?/gm, ' ')), 0);
}

/**
 * Finds docstrings that begin as a fragment, such as "Of…" or "The same…".
 *
 * @param {string} code
 * @returns {string[]} their first lines
 */
export function fragmentDocstrings(code) {
  return commentsIn(code)
    .filter((comment) => comment.startsWith('*'))
    .map((comment) => comment.replace(/^[\s*]+/, '').split('\n')[0] ?? '')
    .filter((start) => FRAGMENT.test(start));
}

/** @param {string} file */
const read = (file) => readFileSync(inRepository(file), 'utf8');

/** Counts everything that `npm run words` prints. */
export function countWords() {
  const { documents, product } = countedFiles();
  const texts = documents.map((file) => ({ file, text: read(file) }));
  /** @param {(text: string) => string[]} find */
  const inDocuments = (find) => texts.flatMap(({ file, text }) => find(text).map((found) => `${file}: ${found}`));
  const code = product.map((file) => ({ file, text: read(file) }));
  return {
    documents: texts.map(({ file, text }) => ({ file, words: wordsIn(text) })),
    longCells: inDocuments(longCells),
    longSentences: inDocuments(longSentences),
    decisions: texts
      .filter(({ file }) => file.startsWith('docs/decisions/') && !file.endsWith('/README.md'))
      .flatMap(({ file, text }) => decisionsIn(text).map((decision) => ({ file, ...decision }))),
    productFiles: code.length,
    codeLines: code.reduce((sum, { text }) => sum + codeLines(text), 0),
    commentWords: code.reduce((sum, { text }) => sum + commentWords(text), 0),
    fragments: code.flatMap(({ file, text }) => fragmentDocstrings(text).map((start) => `${file}: ${start}`)),
  };
}

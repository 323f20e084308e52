import { describe, expect, test } from 'vitest';

import {
  codeLines,
  commentWords,
  countWords,
  decisionsIn,
  DOCUMENT_BOUNDS,
  fragmentDocstrings,
  longCells,
  longSentences,
} from './parts/word-count.mjs';

describe('documents stay short enough to be read', () => {
  const count = countWords();

  test('in words, table cells and sentences', () => {
    const words = count.documents.reduce((sum, document) => sum + document.words, 0);
    expect(count.documents.length).toBeGreaterThan(30);
    expect(words).toBeLessThanOrEqual(DOCUMENT_BOUNDS.words);
    expect(count.longCells).toEqual([]);
    expect(count.longSentences.length, count.longSentences.join('\n')).toBeLessThanOrEqual(
      DOCUMENT_BOUNDS.longSentences,
    );
  });

  test('in decisions, and in the words of each', () => {
    expect(count.decisions.length).toBeGreaterThan(30);
    expect(count.decisions.length).toBeLessThanOrEqual(DOCUMENT_BOUNDS.decisions);
    expect(
      count.decisions
        .filter(({ words }) => words > DOCUMENT_BOUNDS.wordsOfDecision)
        .map(({ id, words }) => [id, words]),
    ).toEqual([]);
  });
});

describe('the count', () => {
  const words = (/** @type {number} */ number) => Array.from({ length: number }, () => 'word').join(' ');

  test('finds long cells and not long rows', () => {
    expect(longCells(`| ${words(61)} | b |`)).toHaveLength(1);
    expect(longCells(`| ${words(60)} | ${words(60)} |`)).toEqual([]);
    expect(longCells(`\`\`\`\n| ${words(61)} |\n\`\`\``)).toEqual([]);
  });

  test('finds long sentences in paragraphs, list items and cells, and counts a link as its text', () => {
    expect(longSentences(`${words(41)}.`)).toHaveLength(1);
    expect(longSentences(`- ${words(30)}\n- ${words(30)}`)).toEqual([]);
    expect(longSentences(`${words(30)}. Another ${words(30)}.`)).toEqual([]);
    expect(longSentences(`| ${words(41)} |`)).toHaveLength(1);
    expect(longSentences(`${words(39)} [b](c d e f).`)).toEqual([]);
  });

  test('reads decisions by their numbers', () => {
    expect(decisionsIn('# Topic\n\n## 7. One two\n\nThree.\n').map(({ id, words: size }) => [id, size])).toEqual([
      ['7', 5],
    ]);
  });

  test('the lines of code are those that are neither blank nor comments', () => {
    expect(codeLines("/**\n * Docstring.\n */\n\nconst url = 'https://a.example'; // end\n  // line\n}\n")).toBe(2);
  });

  test('counts comments and not code, URLs or strings', () => {
    expect(commentWords("/** Returns two words. */\nconst url = 'https://a.example/b c'; // three words here\n")).toBe(
      6,
    );
  });

  test('finds docstrings that begin as a fragment', () => {
    const code = '/** Of every answer. */\n/** Returns it. */\n/** The same for two. */\n// Of a comment\n';
    expect(fragmentDocstrings(code)).toEqual(['Of every answer. ', 'The same for two. ']);
  });
});

import './parts/node-version.mjs';
import { countWords, DOCUMENT_BOUNDS } from './parts/word-count.mjs';

// Prints the size of the product, and the word counts beside the limits of docs/style.md. `--list` names everything
// that exceeds a limit.
const count = countWords();
const words = count.documents.reduce((sum, document) => sum + document.words, 0);
const longDecisions = count.decisions.filter((decision) => decision.words > DOCUMENT_BOUNDS.wordsOfDecision);

/** @param {string} name @param {number} value @param {number} bound */
const line = (name, value, bound) =>
  console.log(
    `${name.padEnd(44)}${value.toLocaleString('en-US').padStart(9)}  of at most ${bound.toLocaleString('en-US')}`,
  );
line('words of documents', words, DOCUMENT_BOUNDS.words);
line('table cells over 60 words', count.longCells.length, DOCUMENT_BOUNDS.longCells);
line('sentences over 40 words', count.longSentences.length, DOCUMENT_BOUNDS.longSentences);
line('decisions', count.decisions.length, DOCUMENT_BOUNDS.decisions);
line('decisions over 120 words', longDecisions.length, 0);
line('words of comments in product code', count.commentWords, 140_000);
line('docstrings that begin as a fragment', count.fragments.length, 20);
console.log(`product: ${count.productFiles} files, ${count.codeLines} lines without blank lines and comments`);

if (process.argv.includes('--list')) {
  for (const document of count.documents) console.log(`${String(document.words).padStart(7)}  ${document.file}`);
  for (const [name, found] of Object.entries({
    'Table cells over 60 words': count.longCells,
    'Sentences over 40 words': count.longSentences,
    'Decisions over 120 words': longDecisions.map(({ file, id, words: size }) => `${file}: ${id} has ${size}`),
    'Docstrings that begin as a fragment': count.fragments,
  }))
    console.log(['', name, ...found].join('\n'));
}

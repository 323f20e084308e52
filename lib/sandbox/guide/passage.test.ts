import { describe, expect, it } from 'vitest';
import { passageFor } from './passage';

const filler = (word: string, sentences = 8) =>
  `About ${word}. ${'Further words fill this paragraph up. '.repeat(sentences)}`.trim();
const passage = (text: string, question: string) => passageFor(text, question, () => 1);

describe('a passage', () => {
  it('is the whole section where that is short', () => {
    expect(passage('One.\n\nTwo.', 'anything')).toBe('One.\n\nTwo.');
  });

  it('has the paragraph that is asked about, wherever it stands, and marks what is left out', () => {
    const text = [filler('apples'), filler('pears'), filler('plums'), filler('quinces'), filler('cherries')].join(
      '\n\n',
    );
    const found = passage(text, 'What of quinces?');
    expect(found).toContain(filler('quinces'));
    expect(found).toContain('\n\n…\n\n');
    expect(found).not.toContain('cherries');
    expect(found.length).toBeLessThanOrEqual(1_300);
  });

  it('keeps the rows of a long table that are asked about, below its head', () => {
    const rows = Array.from(
      { length: 40 },
      (_, index) => `| \`field${index}\` | what the field number ${index} is good for |`,
    );
    const found = passage(['| field | meaning |', '|---|---|', ...rows].join('\n'), 'What is field17?');
    expect(found).toMatch(/^\| field \| meaning \|\n\|---\|---\|\n/);
    expect(found).toContain('`field17`');
    expect(found.endsWith('| … |')).toBe(true);
    expect(found.length).toBeLessThan(1_300);
  });

  it('never cuts code, and has it together with the paragraph that announces it', () => {
    const code = `\`\`\`ts\n${'const line = 1;\n\n'.repeat(10)}\`\`\``;
    const text = [filler('apples', 20), `Pears are made like this:\n\n${code}`, filler('plums', 20)].join('\n\n');
    expect(passage(text, 'pears')).toContain(`Pears are made like this:\n\n${code}`);
    expect(passage(`\`\`\`\n${'x\n'.repeat(2_000)}\`\`\`\n\nPears.`, 'pears')).toBe('Pears.');
  });

  it('ends a long paragraph at a sentence', () => {
    expect(passage(filler('apples', 200), 'apples')).toMatch(/paragraph up\. …$/);
  });

  it('says something even where nothing fits', () => {
    expect(passage(`\`\`\`\n${'x\n'.repeat(2_000)}\`\`\``, 'pears')).not.toBe('');
  });
});

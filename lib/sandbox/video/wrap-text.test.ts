import { describe, expect, it } from 'vitest';
import { drawable, glyphOf } from './picture';
import { wrapText } from './scene';

describe('a text in lines', () => {
  it.each<[string, string, string[]]>([
    ['breaks between words', 'one two three', ['one two', 'three']],
    ['breaks a word that is longer than a line', 'abcdefghijklmnop', ['abcdefgh', 'ijklmnop']],
    [
      'ends with an ellipsis where it is too long',
      'aaa bbb ccc ddd eee fff ggg hhh',
      ['aaa bbb', 'ccc ddd', 'eee f...'],
    ],
    ['of spaces has none', '    ', []],
  ])('%s', (_name, text, lines) => {
    expect(wrapText(text, 8, 3)).toEqual(lines);
  });

  it('never exceeds its columns and rows, whatever it is', () => {
    for (const text of ['x'.repeat(5_000), 'ab '.repeat(2_000), 'a'.repeat(7), '']) {
      for (const [columns, rows] of [
        [1, 1],
        [2, 3],
        [8, 3],
        [38, 20],
      ] as const) {
        const lines = wrapText(text, columns, rows);
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(0, ...lines.map(({ length }) => length))).toBeLessThanOrEqual(Math.max(columns, 3));
      }
    }
  });
});

describe('what is drawn', () => {
  it.each<[string, string]>([
    ['plain ASCII', 'plain ASCII'],
    ['Zürich, naïve – “quoted” ß', 'Zurich, naive - "quoted" ss'],
    ['🏳️‍🌈 海', '\u25a1 \u25a1'],
    ['\u202eabc\u200b', 'abc'],
    ['a\n\tb', 'a  b'],
  ])('of %j is %j', (text, drawn) => {
    expect(drawable(text)).toBe(drawn);
  });

  it('has a glyph of seven rows for every printable character, and no two alike', () => {
    const glyphs = Array.from({ length: 95 }, (_, index) => glyphOf(String.fromCharCode(0x20 + index)));
    for (const rows of glyphs) expect(rows.every((row) => row >= 0 && row < 32) && rows.length === 7).toBe(true);
    expect(new Set(glyphs.map(String)).size).toBe(95);
  });
});

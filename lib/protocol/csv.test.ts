import { describe, expect, it } from 'vitest';
import { csvField, csvText } from './csv';

describe('a table as CSV', () => {
  it('has its columns first, and ends each line as the standard says', () => {
    expect(
      csvText(
        ['a', 'b'],
        [
          ['1', 'x,y'],
          ['2', 'say "so"'],
        ],
      ),
    ).toBe('a,b\r\n1,"x,y"\r\n2,"say ""so"""\r\n');
    expect(csvText(['a'], [])).toBe('a\r\n');
  });

  it('cannot make a spreadsheet run a formula, and leaves amounts as numbers', () => {
    for (const text of ['=1+1', '+1', '-1+2', '-x', '@x', '\tx', '-', '＝1+1', '＠x'])
      expect(csvField(text).startsWith("'")).toBe(true);
    expect(csvField('\n=1')).toBe('"\'\n=1"');
    for (const amount of ['-0.000014000', '-1', '12.5']) expect(csvField(amount)).toBe(amount);
    expect(csvField('a\nb')).toBe('"a\nb"');
    expect(csvField('שלום 🙂')).toBe('שלום 🙂');
  });
});

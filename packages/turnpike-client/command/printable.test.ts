import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOwnWords } from './own-words';
import { jsonText, printable, printableLine } from './printable';

const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

describe('a text for a terminal', () => {
  test.each([
    ['a colour', '\u001b[31mred'],
    ['the name of the window', '\u001b]0;title\u0007'],
    ['a link (OSC 8)', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\'],
    ['C1, of one character', '\u009b31m\u009d0;x\u009c'],
    ['a way back over the line', 'safe\rEVIL\b\b'],
    ['text that runs the other way', 'gpj.\u202eexe\u202c \u2066x\u2069'],
    ['a separator of lines', 'one\u2028two\u2029'],
  ])('has no %s', (_what, text) => {
    expect(printable(text)).not.toMatch(OBEYED);
    expect(printable(text)).toContain('\ufffd');
  });

  test('stays as it is in every language and with every sign', () => {
    const text = 'Grüße, שלום \u200fעולם, سلام\u200cها, 👩\u200d💻\n\ttab';
    expect(printable(text)).toBe(text);
  });

  test('is one line where it is a part of one', () => {
    expect(printableLine('0.01 USD\n2026-01-01  1000 USD\tpaid')).toBe('0.01 USD 2026-01-01  1000 USD paid');
  });
});

describe('JSON for a terminal', () => {
  test('reads as the value that it was, and has nothing that is obeyed', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(0, 2),
        fc.stringMatching(/^[\u0000-\u00a0\u2020-\u2070]{0,20}$/),
        (value, indent, text) => {
          const written = jsonText({ value, text }, indent);
          expect(written).not.toMatch(OBEYED);
          expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        },
      ),
    );
  });

  test('of a value that is nested too deeply is an error with a code', () => {
    let deep: unknown = null;
    for (let level = 0; level < 1_000_000; level++) deep = [deep];
    expect(() => jsonText(deep)).toThrow(expect.objectContaining({ code: 'ANSWER_MALFORMED' }));
  });
});

test('a remedy of a gateway is a text, and no pattern that multiplies the sentence', () => {
  const remedy = "$`$'$&".repeat(1_000);
  expect(inOwnWords({ code: null, message: `A ${remedy} B`, remedy }).message).toBe(`A ${remedy} B`);
});

import { expect, it } from 'vitest';
import { spokenSentences } from './sentence-times';

it('are those of the text, and together all of it', () => {
  const text = 'One. Two, with e.g. an abbreviation!  Three?\n\nמשפט ארבע. 五番目です。';
  expect(spokenSentences(text)).toHaveLength(5);
  expect(spokenSentences(text).join('')).toBe(text);
});

it('a sentence that the gateway has to cut stays one', () => {
  const long = `${'a very long sentence, '.repeat(60)}that ends. `;
  expect(spokenSentences(`${long}Short.`)).toEqual([long, 'Short.']);
});

it('of nothing are none', () => expect(spokenSentences('')).toEqual([]));

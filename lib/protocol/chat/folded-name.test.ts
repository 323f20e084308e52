import { expect, it } from 'vitest';
import { foldedName } from './field-check';

it.each([
  'max_tokens',
  'Max_Tokens',
  'MAX_TOKENS',
  'maxTokens',
  'max-tokens',
  'max.tokens',
  ' max_tokens',
  'max_token\u017f',
  'max_to\u212aens',
  'ｍａｘ_tokens',
  'max_tokens\u200b',
  'ma\u0301x_tokens',
  'max_𝐭okens',
])('%j is max_tokens to somebody', (name) => {
  expect(foldedName(name)).toBe('maxtokens');
});

it.each(['max_token', 'maxx_tokens', 'tokens_max', ''])('%j is not', (name) => {
  expect(foldedName(name)).not.toBe('maxtokens');
});

it('folds every character that Unicode takes for another case of a letter of ASCII', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      if (!/^[a-z]$/iu.test(character)) break;
      // A case-insensitive regular expression with the u flag uses simple case folding (ECMA-262, Canonicalize;
      // CaseFolding.txt, C and S).
      if (new RegExp(`^${letter}$`, 'iu').test(character))
        expect(foldedName(character), code.toString(16)).toBe(letter);
    }
  }
});

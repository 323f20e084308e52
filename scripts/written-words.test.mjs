import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';

import { WRITTEN_SENTENCES, WRITTEN_WORDS } from './written-words.mjs';

/** @param {string} code @param {readonly {selector: string, message: string}[]} rules */
function faultsOf(code, rules = WRITTEN_WORDS) {
  const languageOptions = {
    ecmaVersion: /** @type {const} */ (2024),
    sourceType: /** @type {const} */ ('module'),
    parserOptions: { ecmaFeatures: { jsx: true } },
  };
  return new Linter().verify(code, [{ languageOptions, rules: { 'no-restricted-syntax': ['error', ...rules] } }])
    .length;
}

describe('words in a component', () => {
  it.each([
    '<p>Try again</p>;',
    '<Dialog title="Wallets" />;',
    '<Dialog aria-label={`Theme: ${theme}`} />;',
    '<Field label={isOwn ? known : "Your key"} />;',
    '<b>{isBusy ? busy : "Send"}</b>;',
    '<b>{"Send"}</b>;',
    '<b>{isShown && "Send"}</b>;',
    '<b>{isBusy ? busy : isDone ? done : "Send"}</b>;',
    '<b>{`Send ${count}`}</b>;',
  ])('are refused: %s', (code) => expect(faultsOf(code)).toBe(1));

  it.each([
    '<p className="text-dim">{words.again}</p>;',
    '<Kbd>?</Kbd>;',
    '<Kbd>Esc</Kbd>;',
    '<b>{count} · {unit}</b>;',
    '<Dialog title={words.title} role="dialog" />;',
    '<b className={isOn ? "text-good" : "text-bad"}>{words.sent(count)}</b>;',
  ])('are none: %s', (code) => expect(faultsOf(code)).toBe(0));
});

describe('sentences in what the pages are made of', () => {
  it.each([
    "const cure = 'Nothing was taken. Sign a new payment.';",
    "return { title: 'The key was revoked.' };",
    "throw new UnexpectedTerms('The gateway asks for something else.');",
    'const sentence = `${label} takes ${length} hexadecimal characters.`;',
    "const ask = 'Is it still running?';",
  ])('are refused: %s', (code) => expect(faultsOf(code, WRITTEN_SENTENCES)).toBe(1));

  it.each([
    "const kind = 'not-checkable';",
    "const key = 'Content type';",
    "throw new Error('There is no store for this key.');",
    'throw new ProviderError(4100, `The demo wallet does not support ${method}.`);',
    'const href = `${origin}/api/v1/x402/top-up`;',
    'const line = words.sent(count);',
    "import { words } from './words';",
  ])('are none, or nobody reads them: %s', (code) => expect(faultsOf(code, WRITTEN_SENTENCES)).toBe(0));
});

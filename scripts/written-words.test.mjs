import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';

import { WRITTEN_WORDS } from './written-words.mjs';

/** @param {string} code */
function faultsOf(code) {
  const languageOptions = { ecmaVersion: /** @type {const} */ (2024), sourceType: /** @type {const} */ ('module'), parserOptions: { ecmaFeatures: { jsx: true } } };
  return new Linter().verify(code, [{ languageOptions, rules: { 'no-restricted-syntax': ['error', ...WRITTEN_WORDS] } }]).length;
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

import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';

import { CONSOLE_PRIMITIVES } from './console-primitives.mjs';

/** @param {string} code */
function faultsOf(code) {
  const languageOptions = {
    ecmaVersion: /** @type {const} */ (2024),
    sourceType: /** @type {const} */ ('module'),
    parserOptions: { ecmaFeatures: { jsx: true } },
  };
  return new Linter().verify(code, [
    { languageOptions, rules: { 'no-restricted-syntax': ['error', ...CONSOLE_PRIMITIVES] } },
  ]).length;
}

describe('what the console has a primitive for', () => {
  it.each([
    '<details><summary>{words.more}</summary></details>;',
    '<button disabled={isBusy} onClick={send} />;',
    '<select value={voice} />;',
    '<input type="date" />;',
    '<Input type="date" value={day} />;',
    '<fieldset className="grid" disabled={isBusy} />;',
    'new Date(atMs).toLocaleTimeString();',
    "new Date(atMs).toLocaleDateString('en-GB');",
    'at.toLocaleTimeString();',
    "new Date(iso).toLocaleString('en-GB', { day: 'numeric' });",
  ])('is not done by a component: %s', (code) => expect(faultsOf(code)).toBe(1));

  it.each([
    '<details className="group"><Summary>{words.more}</Summary></details>;',
    '<Button disabled={isBusy} />;',
    '<button type="button" onClick={send} />;',
    // A checkbox that only displays state is allowed.
    '<input type="checkbox" checked={isDone} readOnly disabled />;',
    "count.toLocaleString('en-US');",
    'formatDateTime(atMs);',
  ])('is used, or is something else: %s', (code) => expect(faultsOf(code)).toBe(0));
});

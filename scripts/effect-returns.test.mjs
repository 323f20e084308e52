import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';

import { EFFECT_RETURNS } from './effect-returns.mjs';

/** @param {string} code */
function faultsOf(code) {
  const linter = new Linter();
  return linter.verify(code, [
    {
      languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
      rules: { 'no-restricted-syntax': ['error', ...EFFECT_RETURNS] },
    },
  ]).length;
}

describe('what an effect returns', () => {
  it.each([
    "useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);",
    'useLayoutEffect(() => start());',
    'useEffect(() => void start());',
    'useEffect(() => { return box.current?.scrollTo(0, 0); }, []);',
    'useEffect(() => { if (isOpen) return field.focus(); }, [isOpen]);',
    'useLayoutEffect(place);',
    'useEffect(box.current.focus, []);',
    'useEffect(isOn ? start : stop, []);',
    'useEffect(debounced(save), [text]);',
  ])('by accident is refused: %s', (code) => expect(faultsOf(code)).toBe(1));

  it.each([
    'useEffect(() => { start(); }, []);',
    'useEffect(() => () => stop(), []);',
    'useEffect(() => { const stop = start(); return stop; });',
    'useEffect(() => { return store.subscribe(listener); });',
    'useMemo(() => read(), []);',
    'useEffect(function start() { begin(); }, []);',
    'useMemo(read, []);',
  ])('on purpose is taken: %s', (code) => expect(faultsOf(code)).toBe(0));
});

import { builtinRules } from 'eslint/use-at-your-own-risk';

/** ESLint's `no-restricted-syntax` as a plugin, because the linter has no rule for ESLint selectors. */
export default {
  meta: { name: 'syntax' },
  rules: { 'no-restricted-syntax': builtinRules.get('no-restricted-syntax') },
};

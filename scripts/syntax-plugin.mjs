import { builtinRules } from 'eslint/use-at-your-own-risk';

/** ESLint's `no-restricted-syntax`, for a linter that has no rule whose selectors are ESLint's. */
export default {
  meta: { name: 'syntax' },
  rules: { 'no-restricted-syntax': builtinRules.get('no-restricted-syntax') },
};

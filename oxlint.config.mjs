import { fileURLToPath } from 'node:url';
import { CONSOLE_PRIMITIVES } from './scripts/console-primitives.mjs';
import { EFFECT_RETURNS } from './scripts/effect-returns.mjs';
import { importZones } from './scripts/import-directions.mjs';
import { WRITTEN_SENTENCES, WRITTEN_WORDS } from './scripts/written-words.mjs';

/**
 * Rules of the linter. Some come from ESLint plugins: import directions (`paths`), React's rules of hooks (`hooks`),
 * this repository's own restrictions (`syntax`), and two rules of Next (`pages`). The file is not TypeScript, because
 * Node runs TypeScript only from 22.18 on.
 */
const root = import.meta.dirname;
/** @param {string} name */
const plugin = (name) => fileURLToPath(import.meta.resolve(name));
const react = ['{app,components}/**/*.{ts,tsx}', 'lib/browser/**/*.{ts,tsx}', '**/*.tsx'];
const typescript = ['**/*.{ts,tsx}'];
const notShipped = ['**/*.test.{ts,tsx}', '**/testing/**'];
/** @param {readonly string[]} names */
const all = (names, prefix = '') => Object.fromEntries(names.map((name) => [`${prefix}${name}`, 'error']));

/** Rules of React and its compiler. */
const hooks = [
  'rules-of-hooks',
  'exhaustive-deps',
  'static-components',
  'use-memo',
  'preserve-manual-memoization',
  'incompatible-library',
  'immutability',
  'globals',
  'refs',
  'set-state-in-effect',
  'error-boundaries',
  'purity',
  'set-state-in-render',
  'unsupported-syntax',
  'config',
  'gating',
].map((name) => `hooks/${name}`);

/**
 * @param {readonly (readonly {selector: string, message: string}[])[]} selectors forbidden syntax, as ESLint selectors
 */
function restricted(...selectors) {
  return { 'syntax/no-restricted-syntax': ['error', ...selectors.flat()] };
}

export default {
  plugins: ['typescript', 'import', 'eslint', 'react', 'jsx-a11y', 'nextjs'],
  jsPlugins: [
    { name: 'paths', specifier: plugin('eslint-plugin-import-x') },
    { name: 'hooks', specifier: plugin('eslint-plugin-react-hooks') },
    { name: 'syntax', specifier: `${root}/scripts/syntax-plugin.mjs` },
    { name: 'pages', specifier: plugin('@next/eslint-plugin-next') },
  ],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'off' },
  settings: { 'import-x/resolver': { typescript: { project: `${root}/tsconfig.json` } } },
  rules: {
    'import/no-cycle': ['error', { ignoreExternal: true, ignoreTypes: false }],
    'import/no-duplicates': 'error',
    'paths/no-restricted-paths': ['error', { basePath: root, zones: importZones(root) }],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'prefer-const': 'error',
    'no-array-constructor': 'error',
    'no-unused-expressions': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
    ...all(
      [
        'no-duplicate-enum-values',
        'no-empty-object-type',
        'no-explicit-any',
        'no-extra-non-null-assertion',
        'no-misused-new',
        'no-namespace',
        'no-non-null-asserted-optional-chain',
        'no-require-imports',
        'no-this-alias',
        'no-unnecessary-type-constraint',
        'no-unsafe-declaration-merging',
        'no-unsafe-function-type',
        'no-wrapper-object-types',
        'prefer-as-const',
        'prefer-namespace-keyword',
        'triple-slash-reference',
      ],
      'typescript/',
    ),
    'typescript/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
  },
  overrides: [
    {
      files: typescript,
      rules: {
        'typescript/no-floating-promises': 'error',
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        ...all(['no-var', 'prefer-rest-params', 'prefer-spread']),
      },
    },
    {
      files: react,
      rules: {
        ...all(hooks),
        ...all(
          [
            'display-name',
            'jsx-key',
            'jsx-no-comment-textnodes',
            'jsx-no-duplicate-props',
            'jsx-no-undef',
            'no-children-prop',
            'no-danger-with-children',
            'no-direct-mutation-state',
            'no-find-dom-node',
            'no-is-mounted',
            'no-render-return-value',
            'no-string-refs',
            'no-unescaped-entities',
            'require-render-return',
          ],
          'react/',
        ),
        ...all(
          [
            'google-font-display',
            'google-font-preconnect',
            'next-script-for-ga',
            'no-async-client-component',
            'no-before-interactive-script-outside-document',
            'no-css-tags',
            'no-head-element',
            'no-img-element',
            'no-page-custom-font',
            'no-styled-jsx-in-document',
            'no-sync-scripts',
            'no-title-in-document-head',
            'no-typos',
            'no-unwanted-polyfillio',
            'inline-script-id',
            'no-assign-module-variable',
            'no-document-import-in-page',
            'no-duplicate-head',
            'no-head-import-in-document',
            'no-script-component-in-head',
          ],
          'nextjs/',
        ),
        ...all(
          [
            'aria-props',
            'aria-proptypes',
            'aria-unsupported-elements',
            'role-has-required-aria-props',
            'role-supports-aria-props',
            'alt-text',
          ],
          'jsx-a11y/',
        ),
        'import/no-anonymous-default-export': 'error',
        ...all(['no-html-link-for-pages', 'no-location-assign-relative-destination'], 'pages/'),
      },
    },
    // Off in tests, because the React compiler parses every file again, which takes as long as all other rules.
    { files: ['**/*.test.{ts,tsx}'], rules: Object.fromEntries(hooks.map((rule) => [rule, 'off'])) },
    { files: ['app/**/*.tsx', 'components/**/*.tsx', 'lib/browser/**/*.{ts,tsx}'], rules: restricted(EFFECT_RETURNS) },
    // A later entry replaces the rule of an earlier one.
    { files: ['components/**/*.tsx'], rules: restricted(EFFECT_RETURNS, CONSOLE_PRIMITIVES, WRITTEN_WORDS) },
    {
      files: ['lib/browser/**/*.{ts,tsx}', 'components/**/*.ts'],
      rules: restricted(EFFECT_RETURNS, WRITTEN_SENTENCES),
    },
    // Files of the UI primitives.
    { files: ['components/ui/**/*.tsx'], rules: restricted(EFFECT_RETURNS, WRITTEN_WORDS) },
    // Files that may contain words of the interface, next to the rules that choose them.
    {
      files: [
        '{components,lib/browser}/**/*.test.{ts,tsx}',
        '{components,lib/browser}/**/{words,*-words}.ts',
        'lib/browser/**/testing/**',
      ],
      rules: restricted(EFFECT_RETURNS),
    },
    {
      files: [
        '{app,components}/**/*.{ts,tsx}',
        'lib/{browser,client,protocol}/**/*.{ts,tsx}',
        'packages/*/src/**/*.ts',
      ],
      rules: {
        'no-restricted-properties': [
          'error',
          {
            object: 'crypto',
            property: 'randomUUID',
            message: 'Missing on plain HTTP: use newId of lib/browser/page/new-id.ts.',
          },
          {
            object: 'crypto',
            property: 'subtle',
            message: 'Missing on plain HTTP: use @noble, or say first why the page cannot do it there.',
          },
          {
            object: 'navigator',
            property: 'clipboard',
            message: 'Missing on plain HTTP: use copyText of lib/browser/page/copy-text.ts.',
          },
        ],
      },
    },
    {
      files: [
        ...notShipped,
        'lib/browser/page/copy-text.ts',
        // On plain HTTP, verification proves nothing (docs/decisions/console.md, 135). Callers check for WebCrypto first.
        'lib/protocol/tee/x509/{signature-algorithm,rsa}.ts',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      files: ['lib/{protocol,client}/**/*.ts', 'packages/*/src/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['node:*', 'react', 'react/*', 'react-dom', 'next', 'next/*'],
                message: 'This code runs in browsers and on servers, without React.',
              },
            ],
          },
        ],
      },
    },
    // Views take what they show from the state beside them, which asks the API.
    {
      files: ['app/**/*.{ts,tsx}', 'components/**/*.tsx'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['@/lib/client', '@/lib/client/**'],
                allowTypeImports: true,
                message: 'Views use lib/client through hooks in files beside them; only its types come from here.',
              },
            ],
          },
        ],
      },
    },
    { files: notShipped, rules: { 'no-restricted-imports': 'off' } },
  ],
  ignorePatterns: [
    '.next/**',
    'coverage/**',
    'data/**',
    'dist/**',
    'next-env.d.ts',
    'packages/*/dist/**',
    'playwright-report/**',
    'test-results/**',
  ],
};

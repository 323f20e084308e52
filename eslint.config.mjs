import next from 'eslint-config-next/core-web-vitals';
import nextTypescript from 'eslint-config-next/typescript';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';

import { CONSOLE_PRIMITIVES } from './scripts/console-primitives.mjs';
import { EFFECT_RETURNS } from './scripts/effect-returns.mjs';
import { importZones } from './scripts/import-directions.mjs';
import { WRITTEN_SENTENCES, WRITTEN_WORDS } from './scripts/written-words.mjs';

/**
 * What needs no types. Rules that do, and cycles of imports, are in `.oxlintrc.json`: the native linter takes a tenth of the
 * time for them.
 */
const root = import.meta.dirname;
// Next's rules are about components and hooks; one of them has React's compiler read every file.
const react = ['{app,components}/**/*.{ts,tsx}', 'lib/browser/**/*.{ts,tsx}', '**/*.tsx'];
const typescript = ['**/*.{ts,tsx}'];
const inBrowserAndServer = ['lib/{protocol,client}/**/*.ts', 'packages/*/src/**/*.ts'];
const tests = '**/*.test.{ts,tsx}';

const config = [
  { ignores: ['.next/**', 'coverage/**', 'data/**', 'dist/**', 'next-env.d.ts', 'node_modules/**', 'packages/*/dist/**', 'playwright-report/**', 'test-results/**'] },
  ...next.map((part) => (part.rules ? { ...part, files: react } : part)),
  ...nextTypescript,
  {
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: `${root}/tsconfig.json` })] },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: root, zones: importZones(root) }],
      'import-x/no-duplicates': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      'prefer-const': 'error',
    },
  },
  {
    files: typescript,
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['app/**/*.tsx', 'components/**/*.tsx', 'lib/browser/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', ...EFFECT_RETURNS],
    },
  },
  {
    files: ['components/**/*.tsx'],
    ignores: [tests],
    // A later block replaces the rule of an earlier one.
    rules: { 'no-restricted-syntax': ['error', ...EFFECT_RETURNS, ...CONSOLE_PRIMITIVES, ...WRITTEN_WORDS] },
  },
  {
    files: ['lib/browser/**/*.{ts,tsx}'],
    // Some words stand with the rules that choose among them, in files that are named so.
    ignores: ['lib/browser/words/**', 'lib/browser/**/*-words.ts', tests, '**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', ...EFFECT_RETURNS, ...WRITTEN_SENTENCES] },
  },
  {
    // The primitives themselves.
    files: ['components/ui/**/*.tsx'],
    ignores: [tests],
    rules: { 'no-restricted-syntax': ['error', ...EFFECT_RETURNS, ...WRITTEN_WORDS] },
  },
  {
    files: ['app/**/*.{ts,tsx}', 'components/**/*.{ts,tsx}', 'lib/{browser,client,protocol}/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'],
    ignores: [tests, '**/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'crypto', property: 'randomUUID', message: 'Missing on plain HTTP: use newId of lib/browser/new-id.ts.' },
        { object: 'crypto', property: 'subtle', message: 'Missing on plain HTTP: use @noble, or say first why the page cannot do it there.' },
        { object: 'navigator', property: 'clipboard', message: 'Missing on plain HTTP: use copyText of lib/browser/copy-text.ts.' },
      ],
    },
  },
  { files: ['lib/browser/copy-text.ts'], rules: { 'no-restricted-properties': 'off' } },
  // What it verifies is worth nothing on plain HTTP (decision 137), and whoever asks for it sees first whether WebCrypto is there.
  { files: ['lib/protocol/tee/x509/{signature-algorithm,rsa-pss}.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: inBrowserAndServer,
    ignores: [tests, '**/testing/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: ['node:*', 'react', 'react/*', 'react-dom', 'next', 'next/*'], message: 'This code runs in browsers and on servers, without React.' }] }] },
  },
  {
    files: ['app/**/*.{ts,tsx}', 'components/**/*.{ts,tsx}'],
    ignores: [tests],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@/lib/client', '@/lib/client/**'], allowTypeImports: true, message: 'Pages use lib/client through lib/browser; only its types come from here.' }] },
      ],
    },
  },
];

export default config;

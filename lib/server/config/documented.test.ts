import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import {
  EVM_RECEIVER,
  LIVE_ENV,
  SOLANA_RECEIVER,
  STAKING_CONTRACT,
  UPPER_CASE_RECEIVER,
} from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { loadConfig } from './load';
import { configSchema } from './schema';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const FIELDS = new Set(Object.keys(configSchema.shape));

/** JSON examples in the documents. All their keys are fields of the configuration. */
const examples = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```json\n(.*?)^```$/gms)].flatMap(
    ([block, text = ''], index) => {
      const members = namesIn(text);
      return members.length > 0 && members.every((name) => FIELDS.has(name))
        ? [{ name: `${page}, block ${index + 1}`, text, block }]
        : [];
    },
  ),
);

function namesIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    // The example shows fields without the braces around them.
    return wrapped(text);
  }
}

function wrapped(text: string): string[] {
  try {
    return Object.keys(JSON.parse(`{${text}}`) as object);
  } catch {
    return [];
  }
}

/** Replaces the placeholders that stand for the reader's own addresses and variables. */
function filledIn(text: string): { text: string; env: Record<string, string> } {
  const addresses = [EVM_RECEIVER, STAKING_CONTRACT, UPPER_CASE_RECEIVER, '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'];
  let used = 0;
  const complete = text
    .replaceAll('"0x…"', () => `"${addresses[used++ % addresses.length]}"`)
    .replaceAll('"receiver": "…"', `"receiver": "${SOLANA_RECEIVER}"`)
    .replace(
      /"((?:mrTd|rtMr\d|composeHash))": "…"/g,
      (_whole, field: string) => `"${field}": "${'a'.repeat(field === 'composeHash' ? 64 : 96)}"`,
    );
  const names = [...complete.matchAll(/\$\{([A-Z_0-9]+)\}/g)].map(([, name = '']) => name);
  return { text: complete, env: Object.fromEntries(names.map((name) => [name, valueOf(name)])) };
}

function valueOf(name: string): string {
  if (/RPC/.test(name)) return `https://${name.toLowerCase().replaceAll('_', '-')}.example`;
  if (/FEE_PAYER/.test(name)) return SOLANA_RECEIVER;
  if (name === 'CDP_KEY_SECRET') return Buffer.alloc(64, 7).toString('base64');
  return `value-of-${name.toLowerCase()}`;
}

it('the documents have examples of the configuration', () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

it.each(examples)('the example of $name is a file that starts', ({ text }) => {
  const folder = tempFolder();
  const { text: complete, env } = filledIn(text);
  writeFileSync(join(folder, 'acme.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'turnpike.config.json'), /^\s*\{/.test(complete) ? complete : `{${complete}}`);
  const profile = (JSON.parse(/^\s*\{/.test(complete) ? complete : `{${complete}}`) as { profile?: string }).profile;
  expect(() => loadConfig({ ...(profile === 'live' ? LIVE_ENV : {}), ...env }, folder)).not.toThrow();
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FAMILY_PATHS, familyOf, NETWORK_PATHS } from './mark';
import { RAIL_MARKS } from './rail-mark';
import { NETWORKS } from '@/lib/protocol/networks';

it('finds the family of a model by its id, and none for an unknown one', () => {
  for (const [model, family] of [
    ['Qwen/Qwen3-32B', 'qwen'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'meta'],
    ['deepseek-ai/DeepSeek-R1-Distill-Llama-70B', 'meta'],
    ['mixtral-8x7b', 'mistral'],
    ['google/gemma-3-27b-it', 'gemini'],
    ['e2ee-guide', null],
    ['', null],
  ] as const)
    expect(familyOf(model), model).toBe(family);
});

it('has a mark for each family and each built-in network but the sandbox', () => {
  for (const model of ['llama', 'mistral', 'qwen', 'deepseek', 'gemma', 'kimi', 'minimax', 'nemotron'])
    expect(FAMILY_PATHS[familyOf(model) ?? ''], model).toMatch(/^M/i);
  const unmarked = NETWORKS.map(({ slug }) => slug.split('-')[0] ?? '').filter((name) => !NETWORK_PATHS[name]);
  expect(unmarked.filter((name) => name !== 'sandbox')).toEqual([]);
});

it('has the same mark of a network as a file, for pages that load no paths', () => {
  const folder = path.resolve(import.meta.dirname, '../../public/marks');
  expect(readdirSync(folder).toSorted()).toEqual(RAIL_MARKS.map((name) => `${name}.svg`));
  for (const name of RAIL_MARKS)
    expect(readFileSync(path.join(folder, `${name}.svg`), 'utf8')).toContain(`d="${NETWORK_PATHS[name]}"`);
});

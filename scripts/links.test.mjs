import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { inRepository } from './parts/repository.mjs';
import { countedFiles } from './parts/word-count.mjs';

const { documents, texts } = countedFiles();
const read = (/** @type {string} */ file) => readFileSync(inRepository(file), 'utf8');

/** @param {string} markdown @returns {Set<string>} anchors that GitHub generates for the headings */
function anchorsOf(markdown) {
  const headings = markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading]) => anchorOf(String(heading))));
}

/** @param {string} heading */
const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/ /g, '-');

/** @param {string} file @param {string} markdown @returns {string[]} links to missing files or anchors */
function deadLinks(file, markdown) {
  const links = markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g);
  return [...links].flatMap(([, link]) => {
    const [target = '', anchor] = String(link).split('#');
    const found = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    if (!existsSync(inRepository(found))) return [`${file}: ${link}`];
    return anchor && found.endsWith('.md') && !anchorsOf(read(found)).has(anchor) ? [`${file}: ${link}`] : [];
  });
}

/**
 * Finds mentions of missing documents, headings and decisions, such as `docs/rpc.md`, `docs/rpc.md#batches` or
 * `docs/decisions/money.md, 62`.
 *
 * @param {string} text
 * @returns {string[]}
 */
function deadMentions(text) {
  const mentions = text.matchAll(/(?<![\w./-])(docs\/[\w/-]+\.md)(#[\w-]+)?(?:, (\d+)\b)?/g);
  return [...mentions].flatMap(([whole, file, anchor, decision]) => {
    if (!existsSync(inRepository(String(file)))) return [whole];
    const document = read(String(file));
    const isThere =
      (!anchor || anchorsOf(document).has(anchor.slice(1))) &&
      (!decision || !file?.includes('decisions/') || document.includes(`\n## ${decision}. `));
    return isThere ? [] : [whole];
  });
}

/** Documents of other projects, and names invented by tests. */
const FOREIGN = /solana\.com|\bdocs\/(?:oid-info|guide|money|a|top-up)\.md/;

describe('links', () => {
  test('between documents lead to files and headings that exist', () => {
    expect(documents.length).toBeGreaterThan(30);
    expect(documents.flatMap((file) => deadLinks(file, read(file)))).toEqual([]);
  });

  test('from code to documents, headings and decisions lead somewhere', () => {
    const dead = texts
      .filter((file) => file !== 'scripts/links.test.mjs')
      .flatMap((file) =>
        deadMentions(read(file))
          .filter((mention) => !FOREIGN.test(mention))
          .map((mention) => `${file}: ${mention}`),
      );
    expect(dead).toEqual([]);
  });

  test('are found dead where a file, a heading or a decision is missing', () => {
    expect(deadLinks('docs/rpc.md', '[a](none.md) [b](#none) [c](../README.md) [d](https://x.example)')).toEqual([
      'docs/rpc.md: none.md',
      'docs/rpc.md: #none',
    ]);
    expect(deadMentions('docs/none.md, docs/rpc.md#none, docs/decisions/money.md, 9999, docs/rpc.md')).toEqual([
      'docs/none.md',
      'docs/rpc.md#none',
      'docs/decisions/money.md, 9999',
    ]);
  });
});

test('every npm command that a document names exists', () => {
  /** @type {{scripts: Record<string, string>}} */
  const { scripts } = JSON.parse(read('package.json'));
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => String(name)),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('a decision has one number, its date, why and cost', () => {
  const decisions = documents.filter((file) => /^docs\/decisions\/(?!README)/.test(file)).map(read);
  const entries = decisions.flatMap((text) => text.split(/^(?=## )/m).slice(1));
  const ids = entries.map((entry) => /^## (\d+)\. /.exec(entry)?.[1]);
  expect(new Set(ids).size).toBe(entries.length);
  expect(
    entries.filter(
      (entry) =>
        !/^## \d+\. [^\n]+\n\n\*In force since \d{4}-\d\d-\d\d\.\*\n/.test(entry) ||
        !entry.includes('**Why.**') ||
        !entry.includes('**Cost.**'),
    ),
  ).toEqual([]);
});

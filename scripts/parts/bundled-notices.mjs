import fs from 'node:fs/promises';
import path from 'node:path';

import { undecided } from './package-licences.mjs';
import { inRepository } from './repository.mjs';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^licen[cs]e(\.(md|txt))?$/i;

/**
 * Returns notices for the packages in a bundle: name, version, licence and its text.
 *
 * @param {readonly string[]} inputs files of the bundle, from the repository's root
 * @returns {Promise<string>} Markdown
 * @throws if a licence is neither permissive nor an accepted exception
 */
export async function bundledNotices(inputs) {
  const folders = [...new Set(inputs.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []))].sort();
  const packages = await Promise.all(folders.map(described));
  const open = undecided(packages);
  if (open.length > 0)
    throw new Error(
      `These bundled packages have a licence that was not accepted: ${open.map(({ name, licence }) => `${name} (${licence})`).join(', ')}.`,
    );
  const sections = packages.map(
    ({ name, version, licence, text }) =>
      `## ${name} ${version}\n\n${licence}\n${text === null ? '' : `\n\`\`\`text\n${text.trim()}\n\`\`\`\n`}`,
  );
  return [
    '# What is built into this package',
    '',
    'Packages without their own licence text are under the Apache License 2.0, whose text is the LICENSE of this package.',
    '',
    ...sections,
  ].join('\n');
}

/** @param {string} folder from the repository's root */
async function described(folder) {
  const {
    name,
    version,
    license: licence = 'unknown',
  } = JSON.parse(await fs.readFile(inRepository(folder, 'package.json'), 'utf8'));
  const file = (await fs.readdir(inRepository(folder))).find((each) => LICENCE_FILE.test(each));
  const text = file === undefined ? null : await fs.readFile(inRepository(path.join(folder, file)), 'utf8');
  if (text === null && licence !== 'Apache-2.0')
    throw new Error(`${name} is bundled but has no text of its licence (${licence}).`);
  return { name, version, licence, text, isDevelopment: false, isOptional: false };
}

import fs from 'node:fs';
import path from 'node:path';
import { API_REFERENCE, type Section, splitMarkdown } from './section';

const README = 'README.md';
const DOCS = 'docs';

/**
 * Reads the project's documentation as sections: the README, `docs/*.md` and the descriptions in `openApiFile`. Skips
 * missing files.
 *
 * @param root the project folder
 */
export function readDocuments(root: string, openApiFile: string | null = null): Section[] {
  const names = [README, ...markdownIn(path.join(root, DOCS)).map((name) => `${DOCS}/${name}`)];
  const markdown = names.flatMap((name) => splitMarkdown(name, readIfThere(path.join(root, name)) ?? ''));
  const openApi = openApiFile === null ? null : readIfThere(openApiFile);
  return [...markdown, ...(openApi === null ? [] : openApiSections(openApi))];
}

export function openApiSections(json: string): Section[] {
  const { paths = {} } = JSON.parse(json) as {
    paths?: Record<string, Record<string, { summary?: string; description?: string }>>;
  };
  return Object.entries(paths).flatMap(([route, verbs]) =>
    Object.entries(verbs).map(([verb, { summary = '', description = '' }]) => ({
      document: API_REFERENCE,
      heading: `${verb.toUpperCase()} ${route}`,
      text: `${summary}\n\n${description}`.trim(),
    })),
  );
}

function markdownIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return [];
  }
}

function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSOLE_PAGE_ICONS } from './console-page-icons';
import { OPERATOR_PATH } from '@/lib/browser/credential/credential';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';

const ROOT = resolve(import.meta.dirname, '../..');
/** Tests that visit all pages. None may have its own list, in which a new page could be missing. */
const WALKS = ['e2e/widths.spec.ts', 'e2e/page-figures.spec.ts', 'e2e/gallery/states.ts', 'e2e/api/pages.test.ts'];
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pages = readdirSync(join(ROOT, 'app'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('page.tsx') && !file.startsWith('api/'))
  .map((file) => (file === 'page.tsx' ? '/' : `/${dirname(file)}`));

describe('the pages of the console', () => {
  it('are those that the navigation, the palette and the bar know, and the operator’s', () => {
    expect(pages.sort()).toEqual([...CONSOLE_PAGES.map(({ href }) => href), OPERATOR_PATH].sort());
  });

  it('have an icon each', () => {
    expect(Object.keys(CONSOLE_PAGE_ICONS).sort()).toEqual(CONSOLE_PAGES.map(({ href }) => href).sort());
  });

  it.each(WALKS)('are all looked at by %s', (file) => {
    expect(textOf(file)).toMatch(/^const PAGES = \[?(\.\.\.)?CONSOLE_PAGES\.map\(\(\{ href \}\) => href\)/m);
  });

  it('have each a most that its script may weigh', () => {
    const [, held = ''] =
      /HELD_SCRIPT_BYTES.*\n.*Object\.entries\(\{([^}]*)\}/.exec(textOf('e2e/figures/bounds.ts')) ?? [];
    expect([...held.matchAll(/'([^']+)': \d+/g)].map(([, path]) => path).sort()).toEqual(
      CONSOLE_PAGES.map(({ href }) => href).sort(),
    );
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSOLE_PAGE_ICONS } from './console-page-icons';
import { CONSOLE_PAGES } from './console-pages';

const ROOT = resolve(import.meta.dirname, '../..');
/** Tests that go through the pages, whose lists stand in their files: a page that is in none of them is looked at by nobody. */
const LISTS = ['e2e/widths.spec.ts', 'e2e/api/pages.test.ts'];
const pages = readdirSync(join(ROOT, 'app'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('page.tsx') && !file.startsWith('api/'))
  .map((file) => (file === 'page.tsx' ? '/' : `/${dirname(file)}`));

describe('the pages of the console', () => {
  it('are those that the navigation, the palette and the bar know', () => {
    expect(pages.sort()).toEqual(CONSOLE_PAGES.map(({ href }) => href).sort());
  });

  it('have an icon each', () => {
    expect(Object.keys(CONSOLE_PAGE_ICONS).sort()).toEqual(CONSOLE_PAGES.map(({ href }) => href).sort());
  });

  it.each(LISTS)('are all looked at by %s', (file) => {
    const [, list = ''] = /const PAGES = \[([^\]]*)\]/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    for (const { href } of CONSOLE_PAGES) expect(list).toContain(`'${href}'`);
  });
});

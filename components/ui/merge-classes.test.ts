import fs from 'node:fs';
import path from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { describe, expect, test } from 'vitest';
import { mergeClasses } from './class-names';

const reference = extendTailwindMerge({ extend: { theme: { text: ['3xl', '2xl', 'xl', 'lg', 'base', 'sm', 'xs'] } } });

/** Utilities of globals.css, which tailwind-merge does not know, and the path of a page. */
const OWN = new Set(['animate-appear', 'animate-late', 'animate-progress', 'pb-safe', 'top-up']);

describe('mergeClasses', () => {
  test.each([
    ['px-2 py-1 p-4', 'p-4'],
    ['p-4 px-2', 'p-4 px-2'],
    ['h-8 hover:bg-hover h-auto', 'hover:bg-hover h-auto'],
    ['hover:bg-hover bg-ground hover:bg-raised', 'bg-ground hover:bg-raised'],
    ['[&_svg]:size-4 [&_svg]:size-5', '[&_svg]:size-5'],
    ['text-sm text-dim text-left text-ink', 'text-sm text-left text-ink'],
    ['border border-line border-b-2 border-bad', 'border border-b-2 border-bad'],
    ['leading-6 text-xs', 'text-xs'],
    ['unknown other-thing unknown', 'unknown other-thing unknown'],
    ['  ', ''],
  ])('of %j keeps %j', (classes, merged) => {
    expect(mergeClasses(classes)).toBe(merged);
    expect(reference(classes)).toBe(merged);
  });

  test('agrees with tailwind-merge on the utilities that the console uses', () => {
    const kinds = new Map<string, string[]>();
    for (const name of usedUtilities().filter((each) => isUtility(each) && !OWN.has(each))) {
      // Groups names that differ only in a number or value. The first name of a group is tested with the first names of
      // the other groups, and with the second name of its own.
      const kind = name.replace(/\d+(\.\d+)?/g, '#').replace(/[[(].*$/, '[]');
      kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
    }
    const firsts = [...kinds.values()].flatMap(([first = '']) => first);
    const crossed = firsts.flatMap((one) => firsts.flatMap((other) => (one === other ? [] : `${one} ${other}`)));
    const pairs = [
      ...crossed,
      ...[...kinds.values()].flatMap(([one = '', other]) => (other === undefined ? [] : `${one} ${other}`)),
    ];
    expect(firsts.length).toBeGreaterThan(150);
    expect(pairs.filter((pair) => mergeClasses(pair) !== reference(pair))).toEqual([]);
  }, 60_000);
});

/** Returns whether either implementation knows the class, and so keeps only the second of two. */
function isUtility(name: string): boolean {
  return [reference, mergeClasses].some((merge) => merge(`${name} ${name}`) === name);
}

/** Returns all words in components that could be classes. Words that are no classes do no harm. */
function usedUtilities(): string[] {
  const texts = fs
    .readdirSync('components', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      [...fs.readFileSync(path.join('components', file), 'utf8').matchAll(/(['"`])((?:(?!\1)[^\n])*)\1/g)].map(
        (match) => match[2] ?? '',
      ),
    );
  const names = texts
    .flatMap((text) => text.split(/\s+/))
    .filter((name) => /^[-a-z0-9[\]().:%/_&>+*~#,=^]{1,80}$/i.test(name));
  return [...new Set(names.map((name) => name.replace(/^(?:[^[\](:]|\[[^\]]*\]|\([^)]*\))*:(?![^[]*\])/, '')))];
}

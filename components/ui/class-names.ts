import { type ClassValue, clsx } from 'clsx';

export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes));
}

/**
 * Joins Tailwind class names. If two classes set the same property, the later class wins: `px-2 py-1 p-4` becomes
 * `p-4`. Supports only this console's utilities. A test compares the results with tailwind-merge, which would use a
 * fifth of a page's size limit.
 */
export function mergeClasses(classes: string): string {
  return recalled(merged, classes, merge);
}

// Cached, because matching every class took a twelfth of the console's script time.
const merged = new Map<string, string>();
const known = new Map<string, { variants: string; group: string | null }>();
const RECALLED_MAX = 2_000;

function recalled<T>(memory: Map<string, T>, key: string, make: (key: string) => T): T {
  const value = memory.get(key);
  if (value !== undefined) return value;
  const made = make(key);
  if (memory.size >= RECALLED_MAX) memory.clear();
  memory.set(key, made);
  return made;
}

function merge(classes: string): string {
  const isSet = new Set<string>();
  const kept: string[] = [];
  for (const name of classes.split(/\s+/).reverse()) {
    if (name === '') continue;
    const { variants, group } = recalled(known, name, partsOf);
    if (group !== null) {
      if (isSet.has(variants + group)) continue;
      for (const each of [group, ...(COVERS[group] ?? [])]) isSet.add(variants + each);
    }
    kept.push(name);
  }
  return kept.reverse().join(' ');
}

/**
 * Splits `md:hover:px-2` into its variants (`md:hover:`) and its group (`px`). Utilities of one group set the same
 * property.
 */
function partsOf(name: string): { variants: string; group: string | null } {
  let depth = 0;
  let end = 0;
  for (let at = 0; at < name.length; at++) {
    const character = name[at] ?? '';
    if ('[('.includes(character)) depth++;
    else if ('])'.includes(character)) depth--;
    else if (character === ':' && depth === 0) end = at + 1;
  }
  return { variants: name.slice(0, end), group: groupOf(name.slice(end)) };
}

/** Utilities whose group is their prefix, such as `min-w` of `min-w-0`. Longer prefixes come first. */
const PREFIXES =
  /^-?(?:(min-w|min-h|max-w|max-h|w|h|size|p[xytrbl]?|m[xytrbl]?|gap-[xy]|gap|overflow-[xy]|overflow|items|self|justify-items|justify-self|justify|content|leading|z|opacity|inset-[xy]|inset(?!-ring)|top|right|bottom|left|(?:col|row)-start|grid-cols|grid-rows|whitespace|accent|animate|cursor|fill|scroll-m[xytrbl]|scroll-p[xytrbl]|order|basis|line-clamp|rotate|translate-[xy]|list|align|outline-offset|bg(?!-size|-\[linear))-|(rounded-[trbl]|rounded|transition|resize|grow|shrink)(?:-|$))/;

/** Utilities without a prefix, or with another group's prefix. */
const NAMED: readonly (readonly [pattern: RegExp, group: string])[] = [
  [/^(hidden|block|inline|inline-block|inline-flex|flex|grid|contents|table-header-group|table-row)$/, 'display'],
  [/^(static|fixed|absolute|relative|sticky)$/, 'position'],
  [/^(not-)?sr-only$/, 'sr'],
  [/^(in)?visible$/, 'visibility'],
  [/^flex-(row|col)(-reverse)?$/, 'flex-direction'],
  [/^flex-(1|auto|none|initial)$/, 'flex'],
  [/^col-span-/, 'col'],
  [/^row-span-/, 'row'],
  [/^text-(xs|sm|base|lg|[23]?xl|\[(length:|[\d.]+(rem|em|px)).*)$/, 'text-size'],
  [/^text-(left|center|right|start|end|justify)$/, 'text-align'],
  [/^text-(?!balance|pretty|wrap|nowrap|ellipsis|clip)/, 'text-color'],
  [/^font-(normal|medium|semibold|bold)$/, 'font-weight'],
  [/^font-\[inherit\]$/, 'font-weight'],
  [/^border(-[xytrbl])?(-\d+)?$/, 'border-width'],
  [/^border-(?!dashed|solid|collapse|separate|spacing)/, 'border-color'],
  [/^outline(-\d+)?$/, 'outline-width'],
];

const SIDES = ['t', 'r', 'b', 'l'];
const spacing = (prefix: string): readonly string[] => ['x', 'y', ...SIDES].map((side) => prefix + side);

/** Other groups that a group overrides: `p-4` overrides `px-2` and `pt-1`. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  size: ['w', 'h'],
  p: spacing('p'),
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: spacing('m'),
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  'scroll-m': spacing('scroll-m'),
  'scroll-my': ['scroll-mt', 'scroll-mb'],
  gap: ['gap-x', 'gap-y'],
  rounded: SIDES.map((side) => `rounded-${side}`),
  overflow: ['overflow-x', 'overflow-y'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  flex: ['basis', 'grow', 'shrink'],
  'line-clamp': ['display', 'overflow'],
  'text-size': ['leading'],
  'border-width': [...'xytrbl'].map((side) => `border-width-${side}`),
  'border-width-x': ['border-width-r', 'border-width-l'],
  'border-width-y': ['border-width-t', 'border-width-b'],
};

function groupOf(utility: string): string | null {
  for (const [pattern, group] of NAMED) {
    if (!pattern.test(utility)) continue;
    const side = group === 'border-width' ? /^border-([xytrbl])/.exec(utility)?.[1] : undefined;
    return side === undefined ? group : `${group}-${side}`;
  }
  const [, prefix, bare] = PREFIXES.exec(utility) ?? [];
  return prefix ?? bare ?? null;
}

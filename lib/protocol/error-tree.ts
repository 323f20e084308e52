import type { ErrorTree } from './errors';

/** One message of an error tree, with its path as `properties.name.type`; empty for the whole. */
export interface NamedFault {
  path: string;
  message: string;
}

/** The messages of a tree, each with its path, in the order of the tree. */
export function faultsOf(tree: ErrorTree, path = ''): NamedFault[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === '_errors')
      return Array.isArray(value) ? value.map((message) => ({ path, message: String(message) })) : [];
    return Array.isArray(value) || value === undefined ? [] : faultsOf(value, path === '' ? key : `${path}.${key}`);
  });
}

/** A tree with one message. A field may have any name, `__proto__` too. */
export function treeOf(path: readonly string[], message: string): ErrorTree {
  const tree: ErrorTree = { _errors: [] };
  let level = tree;
  for (const step of path) {
    const inner: ErrorTree = { _errors: [] };
    // `_errors` is where the messages of a level are.
    Object.defineProperty(level, step === '_errors' ? '_errors ' : step, { value: inner, enumerable: true });
    level = inner;
  }
  level._errors.push(message);
  return tree;
}

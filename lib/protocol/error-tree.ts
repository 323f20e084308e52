import type { ErrorTree } from './errors';

/** `path` is like `properties.name.type`, or empty for the whole document. */
interface NamedFault {
  path: string;
  message: string;
}

/** Lists the `_errors` of a tree with their paths. Ignores members that are neither sub-trees nor `_errors`. */
export function faultsOf(tree: ErrorTree, path = ''): NamedFault[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === '_errors')
      return Array.isArray(value) ? value.map((message) => ({ path, message: String(message) })) : [];
    const isTree = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isTree ? faultsOf(value, path === '' ? key : `${path}.${key}`) : [];
  });
}

/** Returns the name of a field's sub-tree. `_errors` is reserved for the messages of a level. */
export function branchName(field: string): string {
  return field === '_errors' ? '_errors ' : field;
}

/** Creates a tree with one message. `defineProperty` allows any field name, even `__proto__`. */
export function treeOf(path: readonly string[], message: string): ErrorTree {
  const tree: ErrorTree = { _errors: [] };
  let level = tree;
  for (const step of path) {
    const inner: ErrorTree = { _errors: [] };
    Object.defineProperty(level, branchName(step), { value: inner, enumerable: true });
    level = inner;
  }
  level._errors.push(message);
  return tree;
}

import type { ErrorTree } from './errors';

/** One message of an error tree, with its path as `properties.name.type`; empty for the whole. */
export interface NamedFault {
  path: string;
  message: string;
}

/** The messages of a tree, each with its path, in the order of the tree. */
export function faultsOf(tree: ErrorTree, path = ''): NamedFault[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === '_errors') return Array.isArray(value) ? value.map((message) => ({ path, message: String(message) })) : [];
    return Array.isArray(value) || value === undefined ? [] : faultsOf(value, path === '' ? key : `${path}.${key}`);
  });
}

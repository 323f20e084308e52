/**
 * Formats a field's path, such as `payments.rails[0].receiver`. If there are no steps, returns a name for the whole
 * file.
 */
export function fieldPath(steps: readonly PropertyKey[]): string {
  const path = steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  return path || WHOLE_FILE;
}

export const WHOLE_FILE = '(the whole file)';

/** Returns the value at a path; undefined if absent. */
export function valueAt(tree: unknown, steps: readonly PropertyKey[]): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    tree,
  );
}

/** Returns the string at a path; undefined for any other value. */
export function textAt(tree: unknown, ...steps: readonly PropertyKey[]): string | undefined {
  const value = valueAt(tree, steps);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the list at a path; empty if the path has no list. */
export function itemsAt(tree: unknown, ...steps: readonly PropertyKey[]): readonly unknown[] {
  const value = valueAt(tree, steps);
  return Array.isArray(value) ? value : [];
}

/** Returns the entries of the object at a path; empty if the path has no object. */
export function membersAt(tree: unknown, ...steps: readonly PropertyKey[]): [string, unknown][] {
  const value = valueAt(tree, steps);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

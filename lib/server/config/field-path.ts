/** A field's path as faults name it, such as `payments.rails[0].receiver`; the whole file where there are no steps. */
export function fieldPath(steps: readonly PropertyKey[]): string {
  const path = steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  return path || WHOLE_FILE;
}

export const WHOLE_FILE = '(the whole file)';

/** What stands at a path of a value that may be anything; undefined where nothing does. */
export function valueAt(tree: unknown, steps: readonly PropertyKey[]): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    tree,
  );
}

/** The same as a text; undefined for anything else. */
export function textAt(tree: unknown, ...steps: readonly PropertyKey[]): string | undefined {
  const value = valueAt(tree, steps);
  return typeof value === 'string' ? value : undefined;
}

/** The items of a list at a path; none where there is no list. */
export function itemsAt(tree: unknown, ...steps: readonly PropertyKey[]): readonly unknown[] {
  const value = valueAt(tree, steps);
  return Array.isArray(value) ? value : [];
}

/** The members of an object at a path; none where there is no object. */
export function membersAt(tree: unknown, ...steps: readonly PropertyKey[]): [string, unknown][] {
  const value = valueAt(tree, steps);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

import type { Environment } from './environment';
import type { Faults } from './faults';
import { fieldPath } from './field-path';
import { meant } from '@/lib/protocol/nearest-name';

/** Variables substituted into strings of the file, by the string's path. */
export type Substituted = ReadonlyMap<string, readonly string[]>;

/** Matches `$$`, `${NAME}`, an unclosed `${`, `${…}` without a valid name, and `$NAME`. */
const PARTS = /\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{([^}]*)(\}?)|\$([A-Za-z_][A-Za-z0-9_]*)/g;

/** Replaces `${NAME}` in strings by the variable, and `$$` by a dollar sign. Reports malformed placeholders. */
export function substitute(
  settings: unknown,
  env: Environment,
  faults: Faults,
): { settings: unknown; substituted: Substituted } {
  const substituted = new Map<string, string[]>();
  const visit = (value: unknown, steps: readonly PropertyKey[]): unknown => {
    if (typeof value === 'string') return replaced(value, fieldPath(steps));
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...steps, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, [...steps, key])]));
  };
  const replaced = (text: string, path: string): string =>
    text.replace(
      PARTS,
      (
        whole,
        name: string | undefined,
        unsound: string | undefined,
        end: string | undefined,
        bare: string | undefined,
      ) => {
        if (whole === '$$') return '$';
        if (name !== undefined) {
          substituted.set(path, [...(substituted.get(path) ?? []), name]);
          const replacement = env[name];
          if (!replacement) faults.set(path, absence(name, env));
          return replacement || whole;
        }
        if (bare !== undefined)
          faults.set(
            path,
            `$${bare} is not replaced by a variable: write \${${bare}} for that, or $$${bare} for a dollar sign`,
          );
        else if (end === '')
          faults.set(
            path,
            `a \${ is not closed: write \${${/^\w*/.exec(unsound ?? '')?.[0] || 'NAME'}}, or $\${ for the characters themselves`,
          );
        else
          faults.set(
            path,
            'a ${…} has no valid variable name in it: write ${NAME} with letters, digits and underscores, or $${ for the characters themselves',
          );
        return whole;
      },
    );
  return { settings: visit(settings, []), substituted };
}

function absence(name: string, env: Environment): string {
  if (env[name] === '') return `the environment variable ${name} is empty; set it to the value that belongs here`;
  return `the environment variable ${name} is not set${meant(name, Object.keys(env))}`;
}

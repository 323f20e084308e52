import type { ApiDescription, ApiOperation, Schema } from './api-description';
import type { ListedError, ListedMethod } from './listed-entries';

export interface ReferenceLists {
  methods: readonly ListedMethod[];
  errors: readonly ListedError[];
}

export interface FilteredReference extends ReferenceLists {
  operations: readonly ApiOperation[];
  schemas: readonly string[];
}

/** Returns the entries that contain every word of the search; all entries for an empty search. */
export function filterReference(
  description: ApiDescription,
  { methods, errors }: ReferenceLists,
  search: string,
): FilteredReference {
  return {
    operations: description.operations.filter((operation) => matchesOperation(operation, search)),
    methods: methods.filter(({ name, tier, family, kind, description = '' }) =>
      hasEveryWord([name, tier, family, kind, description], search),
    ),
    errors: errors.filter(({ code, status, error, hint }) => hasEveryWord([code, String(status), error, hint], search)),
    schemas: [...description.schemas]
      .filter(([name, schema]) => matchesSchema(name, schema, search))
      .map(([name]) => name),
  };
}

/**
 * Returns whether an operation contains every word of a search: in its verb, path, texts, parameters, statuses or
 * schemas.
 */
export function matchesOperation(operation: ApiOperation, search: string): boolean {
  return hasEveryWord(textsOnce(operation, textsOfOperation), search);
}

function textsOfOperation(operation: ApiOperation): string[] {
  const { verb, path, id, summary, description, credentials, parameters, body, responses } = operation;
  return [
    verb,
    path,
    id,
    summary,
    description,
    ...credentials.flatMap(({ name, header }) => [name, header]),
    ...parameters.flatMap((parameter) => [parameter.name, parameter.description]),
    ...namesIn(body?.schema),
    ...responses.flatMap((response) => [
      response.status,
      response.description,
      ...response.headers.map(({ name }) => name),
      ...response.contents.flatMap(({ mediaType, schema }) => [mediaType, ...namesIn(schema)]),
    ]),
  ];
}

/**
 * Returns whether a named schema has every word of a search in its name, or in the names or descriptions of its
 * members.
 */
export function matchesSchema(name: string, schema: Schema, search: string): boolean {
  return hasEveryWord([name, ...textsOnce(schema, namesIn)], search);
}

/** Ignores case. An empty search matches everything. */
function hasEveryWord(texts: readonly string[], search: string): boolean {
  const text = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const collected = new WeakMap<object, readonly string[]>();

function textsOnce<Searched extends object>(
  searched: Searched,
  collect: (searched: Searched) => string[],
): readonly string[] {
  const known = collected.get(searched);
  if (known !== undefined) return known;
  const texts = collect(searched);
  collected.set(searched, texts);
  return texts;
}

/** Collects the name of a referenced schema, but not its content. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === '$ref' || key === 'description') return typeof item === 'string' ? [item] : [];
    if (key === 'enum') return Array.isArray(item) ? item.map(String) : [];
    return key === 'properties' && typeof item === 'object' && item !== null
      ? [...Object.keys(item), ...namesIn(Object.values(item as object))]
      : namesIn(item);
  });
}

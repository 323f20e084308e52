import type { ApiDescription, ApiOperation } from '@/lib/browser/api-reference/api-description';
import type { ListedError, ListedMethod } from '@/lib/browser/api-reference/listed';
import { hasEveryWord, matchesOperation, matchesSchema } from '@/lib/browser/api-reference/search-reference';

/** What the reference lists. */
export interface ReferenceLists {
  methods: readonly ListedMethod[];
  errors: readonly ListedError[];
}

/** What of the reference matches a search. */
export interface FilteredReference extends ReferenceLists {
  operations: readonly ApiOperation[];
  /** Names of schemas. */
  schemas: readonly string[];
}

/** The parts of the reference that have every word of the search; all of it where there is none. */
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

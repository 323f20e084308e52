import type { ApiDescription, ApiOperation } from '@/lib/browser/api-reference/api-description';
import type { ListedError, ListedMethod } from '@/lib/browser/api-reference/listed';
import { hasEveryWord, matchesOperation, matchesSchema } from '@/lib/browser/api-reference/search-reference';

export interface ReferenceLists {
  methods: readonly ListedMethod[];
  errors: readonly ListedError[];
}

export interface FilteredReference extends ReferenceLists {
  operations: readonly ApiOperation[];
  schemas: readonly string[];
}

/** Returns the entries with every word of the search; all entries for an empty search. */
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

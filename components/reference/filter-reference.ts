import type { ApiDescription, ApiOperation } from '@/lib/browser/api-reference/api-description';
import { hasEveryWord, matchesOperation, matchesSchema } from '@/lib/browser/api-reference/search-reference';
import { type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import { METHODS, type RpcMethod } from '@/lib/protocol/rpc-methods';
import { METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';

/** What of the reference matches a search. */
export interface FilteredReference {
  operations: readonly ApiOperation[];
  methods: readonly RpcMethod[];
  errors: readonly ErrorCode[];
  /** Names of schemas. */
  schemas: readonly string[];
}

/** The parts of the reference that have every word of the search; all of it where there is none. */
export function filterReference(description: ApiDescription, search: string): FilteredReference {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return {
    operations: description.operations.filter((operation) => matchesOperation(operation, search)),
    methods: METHODS.filter(({ name, tier, family, kind }) => hasEveryWord([name, tier, family, kind, METHOD_EXAMPLES.get(name)?.description ?? ''], search)),
    errors: codes.filter((code) => hasEveryWord([code, String(ERRORS[code].status), ERRORS[code].error, ERRORS[code].hint], search)),
    schemas: [...description.schemas].filter(([name, schema]) => matchesSchema(name, schema, search)).map(([name]) => name),
  };
}

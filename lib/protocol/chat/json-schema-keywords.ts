/** Where a keyword of JSON Schema holds schemas: `value`s describe what stands in the reply, `test`s only tell about it. */
export type KeywordShape =
  | 'schema' | 'test'
  | 'schemas' | 'tests'
  | 'schema-map' | 'test-map'
  | 'schema-or-schemas'
  | 'dependencies'
  | 'plain';

/** The keywords of JSON Schema 2020-12 and of draft-07, by what they hold (json-schema.org, "core" and "validation"). */
export const KEYWORDS: Readonly<Record<string, KeywordShape>> = {
  ...all('plain', '$schema $id $anchor $ref $dynamicRef $dynamicAnchor $comment type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'),
  ...all('plain', 'maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired'),
  ...all('plain', 'format title description default deprecated readOnly writeOnly examples contentEncoding contentMediaType contentSchema'),
  ...all('schema-map', 'properties patternProperties $defs definitions'),
  ...all('test-map', 'dependentSchemas'),
  ...all('schema', 'additionalProperties additionalItems unevaluatedProperties unevaluatedItems'),
  ...all('test', 'propertyNames contains not if then else'),
  ...all('schemas', 'anyOf oneOf prefixItems'),
  ...all('tests', 'allOf'),
  items: 'schema-or-schemas',
  dependencies: 'dependencies',
};

/** Formats that the two versions define. */
export const FORMATS: ReadonlySet<string> = new Set(
  ('date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid '
    + 'uri-template json-pointer relative-json-pointer regex').split(' '),
);

/** The types of JSON values. */
export const TYPES: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

/** Versions that a schema may say it is written in. */
export const SCHEMA_VERSIONS: ReadonlySet<unknown> = new Set(
  ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema', 'https://json-schema.org/draft-07/schema'].flatMap((uri) => [uri, `${uri}#`]),
);

function all(shape: KeywordShape, names: string): Record<string, KeywordShape> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]));
}

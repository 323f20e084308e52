/**
 * Content of a keyword: schemas that describe parts of the reply (`schema`), schemas that only test a value (`test`),
 * or no schema (`plain`).
 */
type KeywordShape =
  | 'schema'
  | 'test'
  | 'schemas'
  | 'tests'
  | 'schema-map'
  | 'test-map'
  | 'schema-or-schemas'
  | 'dependencies'
  | 'plain';

/** Content of each keyword of JSON Schema 2020-12 and draft-07 (json-schema.org, "core" and "validation"). */
export const KEYWORDS: Readonly<Record<string, KeywordShape>> = {
  ...all(
    'plain',
    '$schema $id $anchor $ref $dynamicRef $dynamicAnchor $comment type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum',
  ),
  ...all(
    'plain',
    'maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired',
  ),
  ...all(
    'plain',
    'format title description default deprecated readOnly writeOnly examples contentEncoding contentMediaType contentSchema',
  ),
  // OpenAPI keywords. JSON Schema validators ignore `discriminator`.
  ...all('plain', 'discriminator nullable'),
  ...all('schema-map', 'properties patternProperties $defs definitions'),
  ...all('test-map', 'dependentSchemas'),
  ...all('schema', 'additionalProperties additionalItems unevaluatedProperties unevaluatedItems'),
  ...all('test', 'propertyNames contains not if then else'),
  ...all('schemas', 'anyOf oneOf prefixItems'),
  ...all('tests', 'allOf'),
  items: 'schema-or-schemas',
  dependencies: 'dependencies',
};

/** Formats that JSON Schema 2020-12 and draft-07 define. */
export const FORMATS: ReadonlySet<string> = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid ' +
    'uri-template json-pointer relative-json-pointer regex'
  ).split(' '),
);

/**
 * Formats of zod 4, pydantic and OpenAPI that are accepted but not enforced. zod also writes a pattern for its own
 * formats.
 */
export const NOTED_FORMATS: ReadonlySet<string> = new Set(
  (
    'base64 base64url jwt cidrv4 cidrv6 mac ulid cuid cuid2 nanoid xid ksuid emoji e164 guid url uuidv4 uuidv6 uuidv7 json-string lowercase uppercase ' +
    'byte binary password int32 int64 uint32 uint64 float double decimal path file-path directory-path multi-host-uri ipvanyaddress ipvanyinterface ipvanynetwork ipv4interface ipv6interface ipv4network ipv6network ' +
    'uuid1 uuid3 uuid4 uuid5 uuid6 uuid7 uuid8 time-delta unix-time phone'
  ).split(' '),
);

export const TYPES: ReadonlySet<unknown> = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
]);

export const SCHEMA_VERSIONS: ReadonlySet<unknown> = new Set(
  [
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema',
  ].flatMap((uri) => [uri, `${uri}#`]),
);

function all(shape: KeywordShape, names: string): Record<string, KeywordShape> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]));
}

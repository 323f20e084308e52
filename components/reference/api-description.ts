import { isRecord, recordOf } from '@/lib/protocol/json-record';

/** OpenAPI 3.1 document, normalized for the reference page. */
export interface ApiDescription {
  title: string;
  version: string;
  description: string;
  baseUrl: string;
  operations: readonly ApiOperation[];
  /** Named schemas, in alphabetical order. */
  schemas: ReadonlyMap<string, Schema>;
}

/** JSON Schema (draft 2020-12) as received. */
export type Schema = Readonly<Record<string, unknown>>;

export interface ApiOperation {
  /** Unique in the document and valid as a URL fragment. */
  id: string;
  verb: string;
  path: string;
  /** The document's first tag for the operation; empty without one. */
  group: string;
  summary: string;
  description: string;
  /** Credentials, any one of which is enough; empty for public operations. */
  credentials: readonly ApiCredential[];
  parameters: readonly ApiParameter[];
  body: ApiContent | null;
  responses: readonly ApiResponse[];
}

export type OperationHead = Omit<ApiOperation, 'group' | 'parameters' | 'body' | 'responses'>;

export interface ApiCredential {
  name: string;
  header: string;
  description: string;
}

export interface ApiParameter {
  name: string;
  place: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

export interface ApiContent {
  mediaType: string;
  schema: Schema;
  examples: readonly ApiExample[];
}

export interface ApiExample {
  name: string;
  value: unknown;
}

export interface ApiResponse {
  status: string;
  description: string;
  headers: readonly { name: string; description: string }[];
  contents: readonly ApiContent[];
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
const PLACES = ['path', 'query', 'header'] as const;

/** Parses an OpenAPI document. Never throws: skips invalid and unknown parts. */
export function readApiDescription(document: unknown): ApiDescription {
  const root = recordOf(document);
  const info = recordOf(root.info);
  const components = recordOf(root.components);
  return {
    title: textOf(info.title),
    version: textOf(info.version),
    description: textOf(info.description),
    baseUrl: textOf(recordOf(listOf(root.servers)[0]).url),
    operations: entriesOf(root.paths).flatMap(([path, verbs]) =>
      VERBS.flatMap((verb) => (isRecord(verbs[verb]) ? [readOperation(verb, path, verbs[verb], components)] : [])),
    ),
    schemas: new Map(entriesOf(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function readFirstHead(document: unknown): OperationHead | null {
  const [first] = readApiDescription(document).operations;
  if (first === undefined) return null;
  const { id, verb, path, summary, description, credentials } = first;
  return { id, verb, path, summary, description, credentials };
}

function readOperation(verb: string, path: string, operation: Schema, components: Schema): ApiOperation {
  const schemes = recordOf(components.securitySchemes);
  return {
    id: textOf(operation.operationId) || `${verb}${path.replace(/\W+/g, '-')}`,
    verb: verb.toUpperCase(),
    path,
    group: textOf(listOf(operation.tags)[0]),
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    credentials: listOf(operation.security).flatMap((choice) =>
      Object.keys(recordOf(choice)).map((name) => readCredential(name, recordOf(schemes[name]))),
    ),
    parameters: listOf(operation.parameters).flatMap(readParameter),
    body: readContents(recordOf(operation.requestBody).content, components)[0] ?? null,
    responses: entriesOf(operation.responses).map(([status, response]) => ({
      status,
      description: textOf(response.description),
      headers: entriesOf(response.headers).map(([name, header]) => ({ name, description: textOf(header.description) })),
      contents: readContents(response.content, components),
    })),
  };
}

function readCredential(name: string, scheme: Schema): ApiCredential {
  const header = scheme.type === 'http' ? 'Authorization' : textOf(scheme.name) || name;
  return { name, header, description: textOf(scheme.description) };
}

function readParameter(value: unknown): ApiParameter[] {
  const { name, in: where, required, description, schema } = recordOf(value);
  const place = PLACES.find((each) => each === where);
  if (typeof name !== 'string' || place === undefined) return [];
  return [{ name, place, required: required === true, description: textOf(description), schema: recordOf(schema) }];
}

function readContents(content: unknown, components: Schema): ApiContent[] {
  const shared = recordOf(components.examples);
  return entriesOf(content).map(([mediaType, { schema, example, examples }]) => {
    const named = entriesOf(examples).map(
      ([name, entry]) => [name, typeof entry.$ref === 'string' ? recordOf(shared[name]) : entry] as const,
    );
    const valued = named.flatMap(([name, entry]) => ('value' in entry ? [{ name, value: entry.value }] : []));
    return {
      mediaType,
      schema: recordOf(schema),
      examples: valued.length === 0 && example !== undefined ? [{ name: 'example', value: example }] : valued,
    };
  });
}

function entriesOf(value: unknown): [string, Schema][] {
  return Object.entries(recordOf(value)).flatMap(([key, entry]) => (isRecord(entry) ? [[key, entry]] : []));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

import { isRecord } from '@/lib/protocol/json-record';
import type { SoldResource } from '../../auth/payment-challenge';
import type { Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { type Json, jsonSchemaOf } from '../openapi/json-schema';
import { type SoldEndpoint, soldEndpoints } from './sold-endpoints';

/**
 * Returns a function that describes what the endpoint at a path sells, or why the endpoint sells nothing now. For an
 * endpoint that never sells anything, the function returns null. The description becomes part of a 402. The x402
 * extension `bazaar` shows catalogues how to call the endpoint.
 * @param serviceName name of the seller in catalogues, at most 32 ASCII characters
 */
export function soldResources(routes: readonly Route[], serviceName: string): (path: string) => SoldResource | null {
  const sold = soldEndpoints(routes).map((endpoint) => ({
    pattern: patternOf(endpoint.path),
    // Builds descriptions at their first use. Building all of them would take a tenth of the startup time.
    resource: onFirstUse(() => resourceOf(endpoint, serviceName)),
    template: templateOf(endpoint.path),
  }));
  const missing = routes.flatMap(({ path, docs }) => {
    const { summary = '', missing: warning } = docs?.POST ?? {};
    const resource = { description: `${summary}. ${warning}`, mimeType: 'application/json', serviceName, warning };
    return warning === undefined ? [] : [{ pattern: patternOf(path), resource }];
  });
  return (path) => {
    for (const { pattern, resource, template } of sold) {
      const match = pattern.exec(path);
      if (!match) continue;
      const described = resource();
      return template === null
        ? described
        : { ...described, bazaar: withPath(described.bazaar, template, match.groups ?? {}) };
    }
    return missing.find(({ pattern }) => pattern.test(path))?.resource ?? null;
  };
}

function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Catalogues request the template `/rpc/{network}` as it is, so this matches braces too, plain or percent-encoded. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?:(?<$1>[\\w.~-]{1,64})|%7B\\w{1,64}%7D)')}/?$`, 'i');
}

/** Converts a path to the x402 form, such as `/rpc/:network`. Returns null for a path without parameters. */
function templateOf(path: string): string | null {
  return path.includes('{') ? path.replace(/\{(\w+)\}/g, ':$1') : null;
}

function resourceOf({ operation }: SoldEndpoint, serviceName: string): SoldResource & { bazaar: Bazaar } {
  const { summary, sale } = operation;
  return {
    description: `${summary}. ${sale.price}`,
    mimeType: sale.mediaType,
    serviceName,
    tags: [...sale.keywords],
    bazaar: bazaarOf(operation),
  };
}

interface Bazaar {
  info: { input: Json; output: Json };
  schema: Json & { properties: { input: Json & { properties: Json }; output: Json } };
}

function bazaarOf({ body, responses, sale }: SoldEndpoint['operation']): Bazaar {
  const components: Json = {};
  const [example] = Object.values(body?.examples ?? {});
  const bodySchema = body ? essentialSchema(jsonSchemaOf(body.schema, components, 'input'), example, components) : {};
  const output = outputOf(responses[200], sale.mediaType);
  const bodyType = body?.type === undefined ? 'json' : 'form-data';
  return {
    info: { input: { type: 'http', method: 'POST', bodyType, body: example }, output: output.info },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['POST'] },
            bodyType: { type: 'string', enum: [bodyType] },
            body: bodySchema,
          },
          required: ['type', 'method', 'bodyType', 'body'],
          additionalProperties: false,
        },
        output: {
          type: 'object',
          properties: { type: { type: 'string' }, format: { type: 'string' }, example: output.schema },
          required: ['type'],
        },
      },
      required: ['input'],
    },
  };
}

function outputOf(
  response: Operation['responses'][number] | undefined,
  mediaType: string,
): { info: Json; schema: Json } {
  if (!response?.schema)
    return { info: { type: 'binary', format: mediaType }, schema: { type: 'string', contentMediaType: mediaType } };
  const components: Json = {};
  const [example] = Object.values(response.examples ?? {});
  return {
    info: { type: 'json', example },
    schema: essentialSchema(jsonSchemaOf(response.schema, components, 'output'), example, components),
  };
}

/** Adds path parameters and route template to a description. Catalogues store all paths of a template as one entry. */
function withPath(
  { info, schema }: Bazaar,
  routeTemplate: string,
  pathParams: Readonly<Record<string, string | undefined>>,
): Bazaar & { routeTemplate: string } {
  const { input, output } = schema.properties;
  const described = {
    type: 'object',
    properties: Object.fromEntries(Object.keys(pathParams).map((name) => [name, { type: 'string' }])),
  };
  return {
    routeTemplate,
    info: {
      ...info,
      input: {
        ...info.input,
        pathParams: Object.fromEntries(Object.entries(pathParams).filter(([, value]) => value !== undefined)),
      },
    },
    schema: {
      ...schema,
      properties: { output, input: { ...input, properties: { ...input.properties, pathParams: described } } },
    },
  };
}

/** Schema keywords that are not needed to build a request. */
const DETAILS: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'default',
  'propertyNames',
]);

/**
 * Reduces a JSON Schema so that it fits into a header: keeps required fields and the fields of the example, resolves
 * references, and replaces an `anyOf` by its first object.
 * @param components named schemas, as in OpenAPI
 */
function essentialSchema(schema: Json, example: unknown, components: Json): Json {
  const { properties, required = [], ...rest } = objectChoice(resolved(schema, components), components);
  const names = new Set([...(required as string[]), ...Object.keys(isRecord(example) ? example : {})]);
  const kept = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => names.has(name));
  return {
    ...(simplified(rest, components) as Json),
    properties: Object.fromEntries(kept.map(([name, property]) => [name, simplified(property, components)])),
    ...((required as string[]).length > 0 ? { required } : {}),
  };
}

function objectChoice(schema: Json, components: Json): Json {
  if (!Array.isArray(schema.anyOf)) return schema;
  const choices = (schema.anyOf as Json[]).map((choice) => resolved(choice, components));
  return choices.find(({ type }) => type === 'object') ?? schema;
}

function resolved(schema: Json, components: Json): Json {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? schema : (components[name] as Json);
}

/** Resolves references and drops details. The recursion ends, because no named schema refers to itself. */
function simplified(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => simplified(item, components));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(resolved(value, components)).flatMap(([key, item]) =>
      DETAILS.has(key) || (key === 'additionalProperties' && item !== false)
        ? []
        : [[key, simplified(item, components)]],
    ),
  );
}

import type { Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import type { SoldResource } from '../../auth/payment-challenge';
import { type Json, jsonSchemaOf } from '../openapi/json-schema';
import { essentialSchema } from './essential-schema';
import { type SoldEndpoint, soldEndpoints } from './sold-endpoints';

/**
 * Returns a function that describes what a path sells; null if the path sells nothing. The path's 402 contains the
 * description, whose x402 extension `bazaar` tells facilitators and catalogues how to call the endpoint.
 *
 * @param serviceName name of the seller in catalogues, at most 32 ASCII characters
 */
export function soldResources(routes: readonly Route[], serviceName: string): (path: string) => SoldResource | null {
  const sold = soldEndpoints(routes).map((endpoint) => ({
    pattern: patternOf(endpoint.path),
    // Described at the first use, because all schemas together would take a tenth of a gateway's start.
    resource: onFirstUse(() => resourceOf(endpoint, serviceName)),
    template: templateOf(endpoint.path),
  }));
  return (path) => {
    for (const { pattern, resource, template } of sold) {
      const match = pattern.exec(path);
      if (!match) continue;
      const described = resource();
      return template === null
        ? described
        : { ...described, bazaar: withPath(described.bazaar, template, match.groups ?? {}) };
    }
    return null;
  };
}

function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * Returns a pattern for the requested paths of an endpoint. It also matches `/rpc/{network}` with percent-encoded
 * braces, because catalogues request the template itself.
 */
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

/** Adds the path parameters and the route template. Catalogues store all paths of a template as one entry. */
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

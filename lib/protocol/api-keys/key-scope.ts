import { z } from 'zod';

export const SOLD = ['rpc', 'chat', 'speech', 'transcriptions', 'embeddings', 'images', 'video'] as const;
export type Sold = (typeof SOLD)[number];

/** Privacy levels of requests, weakest first. */
export const PRIVACY_LEVELS = ['attested', 'encrypted'] as const;
export type Privacy = (typeof PRIVACY_LEVELS)[number];

const LIST_MAX = 100;
const name = z.string('Must be a text').min(1, 'Is empty').max(200, 'Is too long');
const listOf = <Item extends z.ZodType<string>>(item: Item) =>
  z
    .array(item, 'Must be a list')
    .min(1, 'Is empty, which allows nothing. Leave it out to allow everything')
    .max(LIST_MAX, `Has more than ${LIST_MAX} entries`);

/** An absent list allows all endpoints, networks or models. An absent `privacy` allows any level. */
export const keyScopeSchema = z
  .strictObject({
    endpoints: listOf(z.enum(SOLD, `Must be one of ${SOLD.join(', ')}`))
      .optional()
      .describe(`Endpoints that the key may call: ${SOLD.join(', ')}`),
    networks: listOf(name).optional().describe('Slugs of the networks that the key may call'),
    models: listOf(name)
      .optional()
      .describe(
        'Ids of the models that the key may use for chat, speech, transcriptions, embeddings, images and video',
      ),
    privacy: z
      .enum(PRIVACY_LEVELS, `Must be one of ${PRIVACY_LEVELS.join(', ')}`)
      .optional()
      .describe(
        'Lowest privacy of texts. attested: only models whose enclave this gateway has verified. encrypted: also only requests that are encrypted to the enclave. JSON-RPC is not affected',
      ),
  })
  .meta({ id: 'KeyScope' });

export type KeyScope = z.output<typeof keyScopeSchema>;

export interface Bought {
  endpoint: Sold;
  name: string;
}

/** Returns the endpoint, network or model that the API key's scope does not allow; null if it allows all. */
export function outOfScope(
  { endpoints, networks, models }: KeyScope,
  { endpoint, name: wanted }: Bought,
): string | null {
  if (endpoints && !endpoints.includes(endpoint)) return `${endpoint} (its list has ${endpoints.join(', ')})`;
  const names = endpoint === 'rpc' ? networks : models;
  if (names && !names.includes(wanted))
    return `the ${endpoint === 'rpc' ? 'network' : 'model'} ${wanted} (its list has ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and others' : ''})`;
  return null;
}

/** Returns whether `outer` allows everything that `inner` allows. A null scope allows everything. */
export function isScopeWithin(inner: KeyScope | null, outer: KeyScope | null): boolean {
  if (outer === null) return true;
  const { endpoints = SOLD, networks, models, privacy } = inner ?? {};
  return endpoints.every((endpoint) => {
    if (outer.endpoints && !outer.endpoints.includes(endpoint)) return false;
    if (endpoint !== 'rpc' && !isAsPrivate(privacy ?? null, outer.privacy ?? null)) return false;
    const [names, allowed] = endpoint === 'rpc' ? [networks, outer.networks] : [models, outer.models];
    return allowed === undefined || (names !== undefined && names.every((each) => allowed.includes(each)));
  });
}

/** Returns whether a request's privacy level is at least the demanded level. Null is below every level. */
export function isAsPrivate(privacy: Privacy | null, demanded: Privacy | null): boolean {
  const level = (each: Privacy | null): number => (each === null ? -1 : PRIVACY_LEVELS.indexOf(each));
  return level(privacy) >= level(demanded);
}

export function keyScopeOf(stored: string | null): KeyScope | null {
  return stored === null ? null : (JSON.parse(stored) as KeyScope);
}

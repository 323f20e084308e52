import { z } from 'zod';

/** What is sold, as an owner names it who bounds a key. */
export const SOLD = ['rpc', 'chat', 'speech', 'video'] as const;
export type Sold = (typeof SOLD)[number];

const LIST_MAX = 100;
const name = z.string('Must be a text').min(1, 'Is empty').max(200, 'Is too long');
const listOf = <Item extends z.ZodType<string>>(item: Item) =>
  z
    .array(item, 'Must be a list')
    .min(1, 'Is empty, which allows nothing: leave it out to allow everything')
    .max(LIST_MAX, `Has more than ${LIST_MAX} entries`);

/** What a key may be used for. A list that is absent allows everything of its kind; a key without any of them is not bounded. */
export const keyScopeSchema = z
  .strictObject({
    endpoints: listOf(z.enum(SOLD, `Must be one of ${SOLD.join(', ')}`))
      .optional()
      .describe('What it may buy: rpc, chat, speech, video'),
    networks: listOf(name).optional().describe('Slugs of the networks that it may call'),
    models: listOf(name).optional().describe('Ids of the models that it may use, of chat, speech and video'),
  })
  .meta({ id: 'KeyScope' });

export type KeyScope = z.output<typeof keyScopeSchema>;

/** What a request is for: a network, or a model. */
export interface Bought {
  endpoint: Sold;
  /** The network's slug or the model's id. */
  name: string;
}

/** Why a key may not be used for this, in the words of its list; null where it may. */
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

/** Whether everything that one scope allows is allowed by another; null allows everything. */
export function isScopeWithin(inner: KeyScope | null, outer: KeyScope | null): boolean {
  if (outer === null) return true;
  const { endpoints = SOLD, networks, models } = inner ?? {};
  return endpoints.every((endpoint) => {
    if (outer.endpoints && !outer.endpoints.includes(endpoint)) return false;
    const [names, allowed] = endpoint === 'rpc' ? [networks, outer.networks] : [models, outer.models];
    return allowed === undefined || (names !== undefined && names.every((each) => allowed.includes(each)));
  });
}

/** As it is stored: JSON that this wrote. @returns null for null. */
export function keyScopeOf(stored: string | null): KeyScope | null {
  return stored === null ? null : (JSON.parse(stored) as KeyScope);
}

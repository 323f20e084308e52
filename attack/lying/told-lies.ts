import fc from 'fast-check';
import type { Endpoint } from './endpoint';
import { ENDPOINTS } from './endpoints';
import { anyLie, type Lie } from './lies';

type ToldLies = Readonly<Record<string, readonly Lie[]>>;

/** Call of a client, with the lies that it gets. */
export interface ToldCall {
  call: string;
  lies: ToldLies;
}

const ENDPOINTS_MAX = 2;
const LIES_MAX = 2;

/** Generates calls from this list, each with lies of one or two of its endpoints. */
export function toldCalls(calls: readonly { name: string; asks: readonly string[] }[]): fc.Arbitrary<ToldCall> {
  return fc.oneof(...calls.map(({ name, asks }) => fc.record({ call: fc.constant(name), lies: liesOf(asks) })));
}

function liesOf(asks: readonly string[]): fc.Arbitrary<ToldLies> {
  const one = fc.oneof(
    ...asks.map((id) =>
      fc.tuple(fc.constant(id), fc.array(lieOf(endpointNamed(id)), { minLength: 1, maxLength: LIES_MAX })),
    ),
  );
  return fc
    .uniqueArray(one, { minLength: 1, maxLength: Math.min(ENDPOINTS_MAX, asks.length), selector: ([id]) => id })
    .map((entries) => Object.fromEntries(entries));
}

function lieOf({ lies }: Endpoint): fc.Arbitrary<Lie> {
  return lies ? fc.oneof({ weight: 2, arbitrary: anyLie }, { weight: 1, arbitrary: lies }) : anyLie;
}

function endpointNamed(id: string): Endpoint {
  const found = ENDPOINTS.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`There is no endpoint ${id}.`);
  return found;
}

import { isPlainObject, type JsonObject } from './json-pointer';
import { KEYWORDS } from './json-schema-keywords';
import { NOWHERE, type SchemaPlaces } from './schema-places';

/**
 * Returns a graph's strongly connected components (Tarjan, 1972). A component comes after all components reachable from
 * it. Uses a loop, because recursion would overflow the stack.
 *
 * @param edges targets of each node, by index
 */
export function strongComponents(edges: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const isOpen = new Uint8Array(edges.length);
  const open: number[] = [];
  const found: number[][] = [];
  let next = 0;
  const enter = (node: number, path: Step[]): void => {
    order[node] = low[node] = next++;
    open.push(node);
    isOpen[node] = 1;
    path.push({ node, edge: 0 });
  };
  const close = (node: number): void => {
    const component: number[] = [];
    for (let member = -1; member !== node; component.push(member)) {
      member = open.pop() as number;
      isOpen[member] = 0;
    }
    found.push(component);
  };
  for (let start = 0; start < edges.length; start++) {
    if (order[start] !== -1) continue;
    const path: Step[] = [];
    enter(start, path);
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const { node } = step;
      const to = edges[node]?.[step.edge++];
      if (to === undefined) {
        path.pop();
        const above = path.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above] as number, low[node] as number);
        if (low[node] === order[node]) close(node);
      } else if (order[to] === -1) enter(to, path);
      else if (isOpen[to]) low[node] = Math.min(low[node] as number, order[to] as number);
    }
  }
  return found;
}

interface Step {
  node: number;
  edge: number;
}

interface Subschema {
  schema: JsonObject;
  /** Path from the containing schema, or from the document's top if `isFromTop`. */
  steps: readonly string[];
  isFromTop: boolean;
  /** True if applied to the value, its members or its items. False for definitions. */
  isApplied: boolean;
  /** True if this schema checks the same value as the containing schema. */
  isInPlace: boolean;
}

const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);
const REFERENCES = ['$ref', '$dynamicRef'] as const;
/** Keywords that contain schemas without applying them. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

function subschemasOf(schema: JsonObject, places: SchemaPlaces): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const shape = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (shape !== undefined && shape !== 'plain') addParts(found, keyword, shape, schema[keyword]);
  }
  for (const keyword of REFERENCES) {
    const reference = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    const { target, place } = typeof reference === 'string' ? places.follow(reference) : NOWHERE;
    if (!isPlainObject(place)) continue;
    const isFromTop = target?.kind === 'pointer';
    found.push({
      schema: place,
      steps: isFromTop ? target.steps : [keyword],
      isFromTop,
      isApplied: true,
      isInPlace: true,
    });
  }
  return found;
}

function addParts(found: Subschema[], keyword: string, shape: string, value: unknown): void {
  const isApplied = !DEFINITIONS.has(keyword);
  const isInPlace = IN_PLACE.has(keyword);
  const isMap = shape === 'schema-map' || shape === 'test-map' || shape === 'dependencies';
  const add = (part: unknown, steps: readonly string[]): void => {
    if (isPlainObject(part)) found.push({ schema: part, steps, isFromTop: false, isApplied, isInPlace });
  };
  if (Array.isArray(value)) for (const [index, part] of value.entries()) add(part, [keyword, String(index)]);
  else if (isMap && isPlainObject(value)) for (const name of Object.keys(value)) add(value[name], [keyword, name]);
  else if (!isMap) add(value, [keyword]);
}

interface AppliedSize {
  /** Returns the path of this schema from the document's root. */
  path(): readonly string[];
  /** Number of schemas after every reference is expanded. A schema in a cycle counts once. */
  expanded: number;
  /** Number of schemas that check the same value. Infinite if a schema applies itself to the same value. */
  perValue: number;
  /** Number of schemas on the longest path downwards. A cycle counts as one schema. */
  levels: number;
}

interface Edge {
  to: number;
  isInPlace: boolean;
}

/**
 * Computes the sizes of every schema reachable from the top, in linear time. In the result, a schema comes after the
 * schemas inside it.
 */
export function appliedSizes(root: unknown, places: SchemaPlaces): AppliedSize[] {
  const { origins, edges } = graphOf(root, places);
  const sizes = origins.map((origin): AppliedSize => ({
    path: () => pathTo(origin, origins),
    expanded: 0,
    perValue: 0,
    levels: 0,
  }));
  const all = edges.map((own) => own.map(({ to }) => to));
  const ordered = strongComponents(all);
  for (const component of ordered) addExpanded(component, all, sizes);
  const inPlace = edges.map((own, node) =>
    own.every((edge) => edge.isInPlace)
      ? (all[node] as number[])
      : own.filter((edge) => edge.isInPlace).map(({ to }) => to),
  );
  // Without cycles, this order is also valid for the in-place edges, because they are a subset of all edges.
  const isTree = ordered.length === all.length;
  for (const component of isTree ? ordered : strongComponents(inPlace)) addPerValue(component, inPlace, sizes);
  return ordered.flat().map((node) => sizes[node] as AppliedSize);
}

function addExpanded(
  component: readonly number[],
  edges: readonly (readonly number[])[],
  sizes: readonly AppliedSize[],
): void {
  const [only] = component as [number];
  const own = component.length > 1 ? new Set(component) : null;
  let expanded = component.length;
  let levels = 1;
  for (const node of component) {
    for (const to of edges[node] ?? []) {
      if (own ? own.has(to) : to === only) continue;
      const part = sizes[to] as AppliedSize;
      expanded += part.expanded;
      levels = Math.max(levels, part.levels + 1);
    }
  }
  for (const node of component) {
    const size = sizes[node] as AppliedSize;
    size.expanded = expanded;
    size.levels = levels;
  }
}

function addPerValue(
  component: readonly number[],
  edges: readonly (readonly number[])[],
  sizes: readonly AppliedSize[],
): void {
  const [node] = component as [number];
  const next = edges[node] ?? [];
  const isCircle = component.length > 1 || next.includes(node);
  const perValue = isCircle ? Infinity : next.reduce((sum, to) => sum + (sizes[to] as AppliedSize).perValue, 1);
  for (const each of component) (sizes[each] as AppliedSize).perValue = perValue;
}

/** Place of a schema. The path `steps` starts at the schema with index `from`, or at the document's top if null. */
interface Origin {
  from: number | null;
  steps: readonly string[];
}

function pathTo({ from, steps }: Origin, origins: readonly Origin[]): readonly string[] {
  return from === null ? steps : [...pathTo(origins[from] as Origin, origins), ...steps];
}

function graphOf(root: unknown, places: SchemaPlaces): { origins: Origin[]; edges: Edge[][] } {
  const indices = new Map<JsonObject, number>();
  const schemas: JsonObject[] = [];
  const origins: Origin[] = [];
  const edges: Edge[][] = [];
  const indexOf = (schema: JsonObject, from: number | null, steps: readonly string[]): number => {
    const known = indices.get(schema);
    if (known !== undefined) return known;
    indices.set(schema, schemas.length);
    origins.push({ from, steps });
    return schemas.push(schema) - 1;
  };
  if (isPlainObject(root)) indexOf(root, null, []);
  for (let at = 0; at < schemas.length; at++) {
    const own: Edge[] = [];
    for (const { schema, steps, isFromTop, isApplied, isInPlace } of subschemasOf(schemas[at] as JsonObject, places)) {
      const to = indexOf(schema, isFromTop ? null : at, steps);
      if (isApplied) own.push({ to, isInPlace });
    }
    edges.push(own);
  }
  return { origins, edges };
}

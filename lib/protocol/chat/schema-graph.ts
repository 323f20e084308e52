import { isPlainObject, type JsonObject } from './json-pointer';
import type { SchemaPlaces } from './schema-places';
import { strongComponents } from './strong-components';
import { subschemasOf } from './subschemas';

/** Size of a schema with all references followed. */
interface AppliedSize {
  /** Returns the path from the document's top. */
  path(): readonly string[];
  /** Schemas after every reference is expanded. A schema in a cycle counts once. */
  expanded: number;
  /** Schemas that check the same value. Infinite if a schema applies itself to the same value. */
  perValue: number;
  /** Number of schemas on the longest path downwards. A cycle counts as one schema. */
  levels: number;
}

interface Edge {
  to: number;
  isInPlace: boolean;
}

/**
 * Computes the sizes of every schema reachable from the top, in linear time. A schema comes after the schemas inside
 * it.
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
  // In a graph without cycles, `ordered` is also a valid order of the in-place edges.
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

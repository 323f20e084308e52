import { isPlainObject, type JsonObject } from './json-pointer';
import type { SchemaPlaces } from './schema-places';
import { strongComponents } from './strong-components';
import { subschemasOf } from './subschemas';

/** What the schemas of a document come to when their references are followed. */
export interface AppliedSize {
  path: readonly string[];
  /** Schemas, with every reference replaced by what it refers to; of those that refer to one another each counts once. */
  expanded: number;
  /** Schemas that one value is checked against; infinite where a schema comes back to itself for the same value. */
  perValue: number;
  /** Schemas on the longest way down; those that refer to one another count as one. */
  levels: number;
}

interface Edge {
  to: number;
  isInPlace: boolean;
}

/** Sizes of each schema of a document that is reached from its top, parts before what applies them. Linear in the document. */
export function appliedSizes(root: unknown, places: SchemaPlaces): AppliedSize[] {
  const { paths, edges } = graphOf(root, places);
  const sizes = paths.map((path): AppliedSize => ({ path, expanded: 0, perValue: 0, levels: 0 }));
  const all = edges.map((own) => own.map(({ to }) => to));
  const ordered = strongComponents(all);
  for (const component of ordered) addExpanded(component, all, sizes);
  const inPlace = edges.map((own) => own.filter((edge) => edge.isInPlace).map(({ to }) => to));
  for (const component of strongComponents(inPlace)) addPerValue(component, inPlace, sizes);
  return ordered.flat().map((node) => sizes[node] as AppliedSize);
}

function addExpanded(component: readonly number[], edges: readonly (readonly number[])[], sizes: readonly AppliedSize[]): void {
  const own = new Set(component);
  let expanded = component.length;
  let levels = 1;
  for (const node of component) {
    for (const to of edges[node] ?? []) {
      if (own.has(to)) continue;
      const part = sizes[to] as AppliedSize;
      expanded += part.expanded;
      levels = Math.max(levels, part.levels + 1);
    }
  }
  for (const node of component) Object.assign(sizes[node] as AppliedSize, { expanded, levels });
}

function addPerValue(component: readonly number[], edges: readonly (readonly number[])[], sizes: readonly AppliedSize[]): void {
  const [node] = component as [number];
  const next = edges[node] ?? [];
  const isCircle = component.length > 1 || next.includes(node);
  const perValue = isCircle ? Infinity : next.reduce((sum, to) => sum + (sizes[to] as AppliedSize).perValue, 1);
  for (const each of component) (sizes[each] as AppliedSize).perValue = perValue;
}

function graphOf(root: unknown, places: SchemaPlaces): { paths: (readonly string[])[]; edges: Edge[][] } {
  const indices = new Map<JsonObject, number>();
  const schemas: JsonObject[] = [];
  const paths: (readonly string[])[] = [];
  const edges: Edge[][] = [];
  const indexOf = (schema: JsonObject, path: readonly string[]): number => {
    const known = indices.get(schema);
    if (known !== undefined) return known;
    indices.set(schema, schemas.length);
    paths.push(path);
    return schemas.push(schema) - 1;
  };
  if (isPlainObject(root)) indexOf(root, []);
  for (let at = 0; at < schemas.length; at++) {
    const own: Edge[] = [];
    for (const { schema, path, isApplied, isInPlace } of subschemasOf(schemas[at] as JsonObject, paths[at] as string[], places)) {
      const to = indexOf(schema, path);
      if (isApplied) own.push({ to, isInPlace });
    }
    edges.push(own);
  }
  return { paths, edges };
}

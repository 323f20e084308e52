import { type JsonObject, localTarget, type Target } from './json-pointer';

/** Target of a reference. `place` is the value found there, or undefined. */
interface Followed {
  target: Target | null;
  place: unknown;
}

export const NOWHERE: Followed = { target: null, place: undefined };

/** Resolves the references within one schema document. Searches for anchors only once. */
export class SchemaPlaces {
  #anchors: Map<string, JsonObject> | null = null;
  readonly #followed = new Map<string, Followed>();

  constructor(private readonly root: unknown) {}

  follow(reference: string): Followed {
    const known = this.#followed.get(reference);
    if (known) return known;
    const target = localTarget(reference);
    const followed = target ? { target, place: this.locate(target) } : NOWHERE;
    this.#followed.set(reference, followed);
    return followed;
  }

  locate(target: Target): unknown {
    if (target.kind === 'pointer') return this.#at(target.steps);
    return (this.#anchors ??= this.#findAnchors()).get(target.name);
  }

  #at(steps: readonly string[]): unknown {
    let place = this.root;
    for (const step of steps) {
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return undefined;
      place = (place as JsonObject)[step];
    }
    return place;
  }

  #findAnchors(): Map<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    const open: unknown[] = [this.root];
    while (open.length > 0) {
      const place = open.pop();
      if (typeof place !== 'object' || place === null) continue;
      const { $anchor, $dynamicAnchor } = place as JsonObject;
      for (const name of [$anchor, $dynamicAnchor])
        if (typeof name === 'string' && !found.has(name)) found.set(name, place as JsonObject);
      for (const inner of Object.values(place)) open.push(inner);
    }
    return found;
  }
}

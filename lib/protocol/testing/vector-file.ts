import { readFileSync } from 'node:fs';

/** What every vector has beside the inputs of its algorithm. */
export interface Vector {
  tcId: number;
  comment?: string;
  flags?: readonly string[];
  /** `acceptable` is what implementations may do either way: the test that runs it says what ours does. */
  result: 'valid' | 'invalid' | 'acceptable';
}

/** Vectors of one key or of one size, with what they have in common. */
export type VectorGroup<Shared extends object, Test extends object> = Shared & { tests: readonly Test[] };

/**
 * Reads published vectors from the folder `vectors` beside this file. They are read and not imported, so that no bundler
 * and no compiler has to go through megabytes of them.
 * @param name as `wycheproof/x25519`
 */
export function readVectors<Test extends object, Shared extends object = object>(
  name: string,
): readonly VectorGroup<Shared, Test>[] {
  return JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8')) as VectorGroup<
    Shared,
    Test
  >[];
}

/** The vectors of Wycheproof by the file's name there, each with what its group has in common. */
export function readWycheproof<Inputs extends object>(name: string): readonly (Vector & Inputs)[] {
  return readVectors<Vector>(`wycheproof/${name}`).flatMap(({ tests, ...shared }) =>
    tests.map((test) => ({ ...shared, ...test }) as Vector & Inputs),
  );
}

/** By which a vector is named where it came out wrong. */
export function nameOf({ tcId, comment, flags = [], result }: Vector): string {
  return `${tcId} ${result} ${[comment, ...flags].filter(Boolean).join(', ')}`.trim();
}

/** The names of those for which a check does not say what they are `valid` or `invalid` for. @param holds what is asked of an `acceptable` one */
export async function misjudged<Inputs extends object>(
  vectors: readonly (Vector & Inputs)[],
  judge: (vector: Vector & Inputs) => boolean | Promise<boolean>,
  holds: (vector: Vector & Inputs) => boolean = isValid,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const vector of vectors) if ((await judge(vector)) !== holds(vector)) wrong.push(nameOf(vector));
  return wrong;
}

/** What is `valid`, and nothing that is merely `acceptable`. */
export function isValid({ result }: Vector): boolean {
  return result === 'valid';
}

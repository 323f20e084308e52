import { readFileSync } from 'node:fs';

/** Members that all vectors share. */
export interface Vector {
  tcId: number;
  comment?: string;
  flags?: readonly string[];
  /** For `acceptable` vectors, implementations may decide. Each test states the gateway's decision. */
  result: 'valid' | 'invalid' | 'acceptable';
}

/** Vectors in `tests`, with the members that they share, such as a key. */
type VectorGroup<Shared extends object, Test extends object> = Shared & { tests: readonly Test[] };

/**
 * Reads published vectors from the folder `vectors`. Importing them would make bundler and compiler process megabytes.
 *
 * @param name such as `wycheproof/x25519`
 */
export function readVectors<Test extends object, Shared extends object = object>(
  name: string,
): readonly VectorGroup<Shared, Test>[] {
  return JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8')) as VectorGroup<
    Shared,
    Test
  >[];
}

/** Reads Wycheproof's vectors by file name, each with its group's members. */
export function readWycheproof<Inputs extends object>(name: string): readonly (Vector & Inputs)[] {
  return readVectors<Vector>(`wycheproof/${name}`).flatMap(({ tests, ...shared }) =>
    tests.map((test) => ({ ...shared, ...test }) as Vector & Inputs),
  );
}

export function nameOf({ tcId, comment, flags = [], result }: Vector): string {
  return `${tcId} ${result} ${[comment, ...flags].filter(Boolean).join(', ')}`.trim();
}

/**
 * Returns the names of the vectors that `judge` decides wrongly.
 *
 * @param holds returns the expected decision; by default true for `valid` vectors
 */
export async function misjudged<Inputs extends object>(
  vectors: readonly (Vector & Inputs)[],
  judge: (vector: Vector & Inputs) => boolean | Promise<boolean>,
  holds: (vector: Vector & Inputs) => boolean = isValid,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const vector of vectors) if ((await judge(vector)) !== holds(vector)) wrong.push(nameOf(vector));
  return wrong;
}

function isValid({ result }: Vector): boolean {
  return result === 'valid';
}

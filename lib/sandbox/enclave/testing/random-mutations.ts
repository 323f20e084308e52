import type { SeededRandom } from '@/lib/protocol/testing/seeded-random';

/**
 * Returns bytes with a random change: some bytes changed, cut, repeated, omitted, swapped or invented. The result may
 * equal the input by chance.
 */
export function mutatedBytes(honest: Buffer, random: SeededRandom): Buffer {
  const bytes = Buffer.from(honest);
  const at = random.integer(0, bytes.length - 1);
  const length = random.integer(1, 64);
  switch (random.integer(0, 7)) {
    case 0:
      bytes[at] = (bytes[at] as number) ^ (1 << random.integer(0, 7));
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes, random.chance(0.5) ? Buffer.from([0, 1, 0]) : bytes.subarray(at)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 5:
      return Buffer.from(bytes.fill(random.pick([0x00, 0xff, 0x30, 0x0a]), at, Math.min(bytes.length, at + length)));
    case 6:
      return Buffer.from(Array.from({ length: at }, () => random.integer(0, 255)));
    default:
      for (let changes = random.integer(1, 6); changes > 0; changes--)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      return bytes;
  }
}

/** Returns text with a random change of the kinds that `mutatedBytes` makes. */
export function mutatedText(honest: string, random: SeededRandom): string {
  if (honest === '') return 'x';
  const at = random.integer(0, honest.length - 1);
  const other = random.pick(['0', '7', 'f', 'A', '"', '\n', '\0', ' ', '{', '9']);
  switch (random.integer(0, 4)) {
    case 0:
      return honest.slice(0, at);
    case 1:
      return honest + random.pick(['\0', ' ', '00', honest]);
    case 2:
      return honest.slice(0, at) + honest.slice(at + random.integer(1, 4));
    default:
      return honest.slice(0, at) + (honest[at] === other ? '8' : other) + honest.slice(at + 1);
  }
}

/** Replacement values: other types, empty values, huge numbers, inherited property names. */
const STRANGE: readonly unknown[] = [
  null,
  '',
  '0',
  'x',
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  [],
  {},
  [[]],
  { constructor: 1 },
  ['x'.repeat(1_000)],
];

/**
 * Returns JSON with one value changed, swapped, omitted, repeated or replaced by another type.
 *
 * @returns the JSON, and the path of the change, such as `.a.0.b`
 */
export function mutatedJson(honest: unknown, random: SeededRandom): { value: unknown; path: string } {
  const value = structuredClone(honest);
  let [container, path]: [unknown, string] = [value, ''];
  for (;;) {
    const names = Object.keys(container as object);
    const name = names.length === 0 ? '0' : random.pick(names);
    path += `.${name}`;
    const record = container as Record<string, unknown>;
    const child = record[name];
    if (typeof child === 'object' && child !== null && Object.keys(child).length > 0 && random.chance(0.85)) {
      container = child;
      continue;
    }
    change(record, name, random);
    return { value, path };
  }
}

function change(container: Record<string, unknown>, name: string, random: SeededRandom): void {
  const child = container[name];
  switch (random.integer(0, 4)) {
    case 0:
      container[name] = structuredClone(random.pick(STRANGE));
      return;
    case 1:
      if (Array.isArray(container)) container.splice(Number(name), 1);
      else delete container[name];
      return;
    case 2: {
      const other = random.pick(Object.keys(container).concat(name));
      [container[name], container[other]] = [container[other], child];
      return;
    }
    default:
      if (typeof child === 'string') container[name] = mutatedText(child, random);
      else if (typeof child === 'number') container[name] = child + random.pick([-1, 1, 256]);
      else if (Array.isArray(container)) container.push(structuredClone(child));
      else container[`${name}x`] = child;
  }
}

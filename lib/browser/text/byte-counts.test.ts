import { expect, it } from 'vitest';
import { formatBytes } from './amounts';

it.each([
  [312, '312 B'],
  [4100, '4.1 kB'],
  [2_300_000, '2.3 MB'],
])('%d bytes are %s', (bytes, shown) => expect(formatBytes(bytes)).toBe(shown));

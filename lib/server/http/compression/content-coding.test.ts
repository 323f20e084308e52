import { describe, expect, it } from 'vitest';
import { acceptedCoding, takesCoding } from './content-coding';

describe('the coding of an answer', () => {
  it.each([
    ['zstd, br, gzip', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['br, gzip, deflate', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['Br;Q=1.0', 'br'],
    ['gzip;q=1.0, br;q=0.8, zstd;q=0.799', 'gzip'],
    ['gzip ; q=0.5 , br ; q=0.501', 'br'],
    ['zstd;q=0, br;q=0.000, gzip;q=0.001', 'gzip'],
    [' , ,gzip,, ', 'gzip'],
    ['*', 'gzip'],
    ['*, gzip;q=0', 'br'],
    ['*;q=0.5, br;q=0.4', 'gzip'],
    ['deflate, br;q=0.5, *;q=0.5', 'br'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, nonsense;q=7, identity;q=0.4', 'gzip'],
  ])('%s is %s', (accepted, coding) => expect(acceptedCoding(accepted)).toBe(coding));

  it.each([
    ['nothing', ''],
    ['what we do not have', 'deflate, compress, exi'],
    ['the bytes as they are', 'identity'],
    ['those rather', 'identity, gzip;q=0.9'],
    ['a refusal', 'gzip;q=0'],
    ['a refusal of all', '*;q=0'],
    ['a refusal of all but what is refused too', 'gzip;q=0, *;q=0'],
    ['a refusal of the bytes as they are, with nothing for them', 'identity;q=0'],
    ['named twice, and refused', 'gzip, gzip;q=0'],
    ['a weight beyond 1', 'gzip;q=1.001'],
    ['a weight of many digits', 'gzip;q=0.12345'],
    ['a weight below 0', 'gzip;q=-1'],
    ['a weight that is no number', 'gzip;q=NaN, br;q=, zstd;q'],
    ['a weight in another notation', 'gzip;q=1e0, br;q=0x1, zstd;q=.5'],
    ['a second parameter', 'gzip;q=1;q=0'],
    ['a longer name', 'gzipped, brotli, zstandard'],
    ['a name of an object’s own', '__proto__, constructor, tostring'],
    ['signs', ';;;,,,===*q'],
    ['8 KB of signs', 'ÿ;q=,'.repeat(1_700)],
    ['8 KB that would say it at the end', `${'x, '.repeat(2_700)}gzip`],
  ])('%s is none', (_what, accepted) => expect(acceptedCoding(accepted)).toBeNull());
});

describe('whether a coding is taken at all', () => {
  it.each(['br', 'gzip, br;q=0.1', '*', 'zstd, BR', 'gzip;q=1, *;q=0.2'])('%s takes Brotli', (accepted) =>
    expect(takesCoding(accepted, 'br')).toBe(true),
  );
  it.each(['', 'gzip', 'br;q=0', '*, br;q=0', 'br;q=x', `br, ${'x,'.repeat(1_000)}`])('%.20s does not', (accepted) =>
    expect(takesCoding(accepted, 'br')).toBe(false),
  );
});

/**
 * Prefix code of AAC, indexed by the next `longest` bits. Stores only lengths, because the duration does not depend on
 * decoded values.
 */
export interface Codebook {
  readonly longest: number;
  /**
   * Each entry packs the code word's length (5 bits), its number of sign bits (3 bits) and its number of escaped
   * values.
   */
  readonly entries: Uint16Array;
}

/**
 * Makes a codebook whose code words are sorted by length.
 *
 * @param counts number of code words of 1 bit, 2 bits and so on
 * @param more one base-36 digit per code word: the number of sign bits, plus 8 for each escaped value
 */
function codebook({ counts, more }: { counts: readonly number[]; more: string }): Codebook {
  const longest = counts.length;
  const entries = new Uint16Array(1 << longest);
  let [word, at] = [0, 0];
  for (const [index, count] of counts.entries())
    for (let nth = 0; nth < count; nth++) {
      const end = at + (1 << (longest - 1 - index));
      entries.fill((index + 1) | (Number.parseInt(more[word++] ?? '0', 36) << 5), at, end);
      at = end;
    }
  return { longest, entries };
}

/** Spectral codebooks 1 to 11 (ISO/IEC 14496-3, tables 4.A.2 to 4.A.12). */
export const SPECTRAL: readonly Codebook[] = [
  { counts: [1, 0, 0, 0, 8, 0, 24, 0, 24, 8, 16], more: '' },
  { counts: [0, 0, 1, 1, 7, 24, 15, 19, 14], more: '' },
  {
    counts: [1, 0, 0, 4, 2, 6, 3, 5, 15, 15, 8, 9, 3, 3, 5, 2],
    more: '011112222232343311223232331221224334323244332333223243344233333344442233434443233',
  },
  {
    counts: [0, 0, 0, 10, 6, 0, 9, 21, 8, 14, 11, 2],
    more: '433331202222121144443333333333332222222222221111444444333333333433344422222243333',
  },
  { counts: [1, 0, 0, 4, 4, 0, 4, 12, 12, 12, 18, 10, 4], more: '' },
  { counts: [0, 0, 0, 9, 0, 16, 13, 8, 23, 8, 4], more: '' },
  {
    counts: [1, 0, 2, 1, 0, 4, 5, 10, 14, 15, 8, 4],
    more: '0112221122211222222221122212122222222211222222222222112222222222',
  },
  {
    counts: [0, 0, 1, 5, 7, 10, 14, 15, 8, 4],
    more: '2212120112222222221122222222221212222222121222222222221212222112',
  },
  {
    counts: [1, 0, 2, 1, 0, 4, 3, 8, 11, 20, 31, 38, 32, 14, 4],
    more: '0112221122211222222221122222221212222222212222222212221222212222112222222222222122212222222222222222222212212222222122222222222222212212222122222222222222222222222222222',
  },
  {
    counts: [0, 0, 0, 3, 8, 14, 17, 25, 31, 41, 22, 8],
    more: '2222112222211222202211222222222222121222222222222121222222222222222222122222122222222222222222121222222212222221222222222222222221212122222222222222212122212221222222122',
  },
  {
    counts: [0, 0, 0, 2, 6, 7, 16, 59, 55, 95, 43, 6],
    more: '02i11222222121222222211222222222222222aaaaa2a121a2aaaa22222aa22aaa22a2aaa2a22aa2221aa222212aa22a2a2222222a221222222122222222222222122222222222922222292122222222222222222222222222222212222222222222222221222222222222222222222222222112222222222222222222222222212212122212222211222212212112112',
  },
].map(codebook);

/** Codebook of scale factors (table 4.A.1). */
export const SCALE_FACTORS: Codebook = codebook({
  counts: [1, 0, 1, 3, 2, 4, 3, 5, 4, 6, 6, 6, 5, 8, 4, 7, 3, 7, 46],
  more: '',
});

const [WIDTHS_96, WIDTHS_64, WIDTHS_48, WIDTHS_32, WIDTHS_24, WIDTHS_16, WIDTHS_8] = [
  '11111111111111222223333344679bggggggggggg',
  '11111111111111222233344456679aaaaaaaaaaaaaaaaaa',
  '111111111122222223333445566778888888888888888888o',
  '111111111122222223333445566778888888888888888888888',
  '1111111111122222222223333444556677899abcddggggg',
  '222222222223333333334444555667789aabcdefggg',
  '33333333333334444444555566677899abcdefgk',
];
const [SHORT_96, SHORT_48, SHORT_24, SHORT_16, SHORT_8] = [
  '111111222479',
  '11111222333444',
  '111111122233445',
  '111111112233455',
  '111111122223455',
];

/** Widths of scale factor bands in a long and a short window, in units of four spectral lines. */
export interface Bands {
  readonly long: Uint8Array;
  readonly short: Uint8Array;
}

/** Bands by the index of the sample rate (tables 4.129 to 4.147). */
export const BANDS: readonly Bands[] = (
  [
    [WIDTHS_96, SHORT_96],
    [WIDTHS_96, SHORT_96],
    [WIDTHS_64, SHORT_96],
    [WIDTHS_48, SHORT_48],
    [WIDTHS_48, SHORT_48],
    [WIDTHS_32, SHORT_48],
    [WIDTHS_24, SHORT_24],
    [WIDTHS_24, SHORT_24],
    [WIDTHS_16, SHORT_16],
    [WIDTHS_16, SHORT_16],
    [WIDTHS_16, SHORT_16],
    [WIDTHS_8, SHORT_8],
    [WIDTHS_8, SHORT_8],
  ] as const
).map(([long, short]) => ({ long: widths(long), short: widths(short) }));

function widths(digits: string): Uint8Array {
  return Uint8Array.from(digits, (digit) => Number.parseInt(digit, 36));
}

/**
 * Typeface for printable ASCII, five by seven dots. Each string is a character, with two hexadecimal digits per row
 * (bit 4 is the leftmost dot).
 */
const ROWS: readonly string[] = [
  '00000000000000',
  '04040404040004',
  '0a0a0a00000000',
  '0a0a1f0a1f0a0a',
  '040f140e051e04',
  '18190204081303',
  '0c12140815120d',
  '04040800000000', // space ! " # $ % & '
  '02040808080402',
  '08040202020408',
  '0004150e150400',
  '0004041f040400',
  '00000000040408',
  '0000001f000000',
  '00000000000c0c',
  '00010204081000', // ( ) * + , - . /
  '0e11131519110e',
  '040c040404040e',
  '0e11010204081f',
  '1f02040201110e',
  '02060a121f0202',
  '1f101e0101110e',
  '0608101e11110e',
  '1f010204080808', // 0-7
  '0e11110e11110e',
  '0e11110f01020c',
  '000c0c000c0c00',
  '000c0c000c0408',
  '02040810080402',
  '00001f001f0000',
  '08040201020408',
  '0e110102040004', // 8 9 : ; < = > ?
  '0e11010d15150e',
  '0e1111111f1111',
  '1e11111e11111e',
  '0e11101010110e',
  '1c12111111121c',
  '1f10101e10101f',
  '1f10101e101010',
  '0e11101711110f', // @ A-G
  '1111111f111111',
  '0e04040404040e',
  '0702020202120c',
  '11121418141211',
  '1010101010101f',
  '111b1515111111',
  '11111915131111',
  '0e11111111110e', // H-O
  '1e11111e101010',
  '0e11111115120d',
  '1e11111e141211',
  '0f10100e01011e',
  '1f040404040404',
  '1111111111110e',
  '11111111110a04',
  '1111111515150a', // P-W
  '11110a040a1111',
  '1111110a040404',
  '1f01020408101f',
  '0e08080808080e',
  '00100804020100',
  '0e02020202020e',
  '040a1100000000',
  '0000000000001f', // X Y Z [ \ ] ^ _
  '08040200000000',
  '00000e010f110f',
  '1010161911111e',
  '00000e1010110e',
  '01010d1311110f',
  '00000e111f100e',
  '0609081c080808',
  '000f110f01110e', // ` a-g
  '10101619111111',
  '04000c0404040e',
  '0200060202120c',
  '10101214181412',
  '0c04040404040e',
  '00001a15151111',
  '00001619111111',
  '00000e1111110e', // h-o
  '00001e111e1010',
  '00000d130f0101',
  '00001619101010',
  '00000e100e011e',
  '08081c08080906',
  '0000111111130d',
  '00001111110a04',
  '0000111115150a', // p-w
  '0000110a040a11',
  '000011110f010e',
  '00001f0204081f',
  '02040408040402',
  '04040404040404',
  '08040402040408',
  '00000815020000', // x y z { | } ~
];

const FIRST = 0x20;
const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;
const BOX = [0x1f, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1f];

const GLYPHS: readonly (readonly number[])[] = ROWS.map((text) =>
  Array.from({ length: GLYPH_HEIGHT }, (_, row) => Number.parseInt(text.slice(2 * row, 2 * row + 2), 16)),
);

/** Returns the dot rows of a character, or a box for an unknown character. */
export function glyphOf(character: string): readonly number[] {
  return GLYPHS[(character.codePointAt(0) ?? 0) - FIRST] ?? BOX;
}

/** Replacements for non-ASCII characters that do not become ASCII when their diacritics are removed. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '‚': ',',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '×': 'x',
  '·': '.',
  '•': '*',
  '€': 'EUR',
  '\u00a0': ' ',
};

/** Returns a text in drawable form: ASCII, Latin letters without marks, lookalikes, and boxes for other characters. */
export function drawable(text: string): string {
  const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text);
  let drawn = '';
  for (const { segment } of clusters) drawn += drawableCluster(segment);
  return drawn;
}

const NO_GLYPH = '\u25a1';

function drawableCluster(cluster: string): string {
  if (/^\s+$/u.test(cluster)) return ' ';
  const lookalike = LOOKALIKES[cluster];
  if (lookalike !== undefined) return lookalike;
  const bare = cluster.normalize('NFKD').replace(/\p{M}/gu, '');
  if (/^[\x20-\x7e]+$/.test(bare)) return bare;
  // Direction marks and joiners on their own are invisible.
  return /^[\p{Cf}\p{M}\p{Cc}]+$/u.test(cluster) ? '' : NO_GLYPH;
}

/** Color in video's color space: BT.601, limited range. */
export interface Colour {
  y: number;
  u: number;
  v: number;
}

/** Returns a color from hue, lightness and saturation, each from 0 to 1. */
export function colourOf(hue: number, lightness: number, saturation = 0.5): Colour {
  const angle = 2 * Math.PI * hue;
  return {
    y: Math.round(16 + 219 * lightness),
    u: Math.round(128 + 80 * saturation * Math.cos(angle)),
    v: Math.round(128 + 80 * saturation * Math.sin(angle)),
  };
}

/** Picture in the format that an H.264 encoder reads: planar YUV 4:2:0. Width and height are even. */
export class Picture {
  readonly data: Uint8Array;
  readonly #chroma: number;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.#chroma = (width * height) / 4;
    this.data = new Uint8Array(width * height + 2 * this.#chroma);
  }

  /** Fills a rectangle, clipped to the picture. Color has a resolution of two by two pixels. */
  fill(left: number, top: number, width: number, height: number, colour: Colour): void {
    const [x0, y0, x1, y1] = [
      clamp(left, this.width),
      clamp(top, this.height),
      clamp(left + width, this.width),
      clamp(top + height, this.height),
    ];
    if (x1 <= x0) return;
    for (let y = y0; y < y1; y++) this.data.fill(colour.y, y * this.width + x0, y * this.width + x1);
    for (let y = y0 >> 1; y < (y1 + 1) >> 1; y++) this.#fillChroma(y, x0 >> 1, (x1 + 1) >> 1, colour);
  }

  disc(centreX: number, centreY: number, radius: number, colour: Colour): void {
    for (let dy = -radius; dy <= radius; dy++) {
      const half = Math.floor(Math.sqrt(radius * radius - dy * dy));
      this.fill(Math.round(centreX) - half, Math.round(centreY) + dy, 2 * half + 1, 1, colour);
    }
  }

  /** Draws a line of text, clipped to the picture. Each dot of a letter is `scale` pixels wide. */
  text(text: string, left: number, top: number, scale: number, colour: Colour): void {
    let x = left;
    for (const character of text) {
      const rows = glyphOf(character);
      for (let row = 0; row < GLYPH_HEIGHT; row++) {
        for (let column = 0; column < GLYPH_WIDTH; column++) {
          if (((rows[row] as number) >> (GLYPH_WIDTH - 1 - column)) & 1)
            this.fill(x + column * scale, top + row * scale, scale, scale, colour);
        }
      }
      x += advanceOf(scale);
    }
  }

  #fillChroma(row: number, from: number, until: number, { u, v }: Colour): void {
    const start = this.width * this.height + row * (this.width / 2);
    this.data.fill(u, start + from, start + until);
    this.data.fill(v, start + this.#chroma + from, start + this.#chroma + until);
  }
}

export function advanceOf(scale: number): number {
  return (GLYPH_WIDTH + 1) * scale;
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(max, Math.round(value)));
}

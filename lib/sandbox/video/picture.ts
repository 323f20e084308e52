import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphOf } from './glyphs';

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

import { createHash } from 'node:crypto';
import { advanceOf, type Colour, colourOf, drawable, GLYPH_HEIGHT, Picture } from './picture';

const ELLIPSIS = '...';

/**
 * Breaks a text into at most `rows` lines of at most `columns` characters, between words if possible. An ellipsis ends
 * a text that does not fit.
 */
export function wrapText(text: string, columns: number, rows: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    for (const piece of piecesOf(word, columns)) {
      if (line === '') line = piece;
      else if (line.length + 1 + piece.length <= columns) line += ` ${piece}`;
      else {
        lines.push(line);
        line = piece;
      }
      if (lines.length > rows) return cut(lines, columns, rows);
    }
  }
  if (line !== '') lines.push(line);
  return lines.length > rows ? cut(lines, columns, rows) : lines;
}

function piecesOf(word: string, columns: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < word.length; at += columns) pieces.push(word.slice(at, at + columns));
  return pieces;
}

function cut(lines: readonly string[], columns: number, rows: number): string[] {
  const kept = lines.slice(0, rows);
  const last = kept.pop() ?? '';
  return [...kept, last.slice(0, Math.max(0, columns - ELLIPSIS.length)).trimEnd() + ELLIPSIS];
}

interface SceneSettings {
  prompt: string;
  negativePrompt: string;
  seed: number;
  width: number;
  height: number;
  frames: number;
}

interface Ball {
  radius: number;
  x: number;
  y: number;
  /** Horizontal distance that the ball moves during the whole video, in picture widths. */
  dx: number;
  dy: number;
  colour: Colour;
}

const CAPTION = 'sandbox stand-in';
const BALLS = 6;
const BANDS = 9;
const WHITE: Colour = { y: 235, u: 128, v: 128 };
const BLACK: Colour = { y: 22, u: 128, v: 128 };
const PANEL: Colour = { y: 34, u: 130, v: 126 };
const SMALL = 1;
const LARGE = 2;
const MARGIN = 12;
const LINE_DOTS = GLYPH_HEIGHT + 3;

/**
 * Draws moving bands and balls in colors derived from prompt and seed. Adds the prompt, a progress bar and a caption
 * that names the sandbox.
 */
export class Scene {
  readonly #picture: Picture;
  readonly #lines: readonly string[];
  readonly #scale: number;
  readonly #balls: readonly Ball[];
  readonly #hue: number;

  constructor(private readonly settings: SceneSettings) {
    const { prompt, negativePrompt, seed, width, height } = settings;
    this.#picture = new Picture(width, height);
    const random = randomOf(JSON.stringify([prompt, negativePrompt, seed]));
    this.#hue = random();
    this.#balls = Array.from({ length: BALLS }, () => ballOf(random, this.#hue, width, height));
    const text = drawable(prompt);
    const large = this.#wrap(text, LARGE);
    const isCut = large.length > 0 && large.join(' ').length < text.replace(/ +/g, ' ').trim().length;
    this.#scale = isCut ? SMALL : LARGE;
    this.#lines = isCut ? this.#wrap(text, SMALL) : large;
  }

  /** Returns a frame in YUV 4:2:0. The next call reuses the memory. */
  frame(index: number): Uint8Array {
    const picture = this.#picture;
    const { width, height, frames } = this.settings;
    const time = index / frames;
    for (let band = 0; band < BANDS; band++) {
      const top = Math.round((band * height) / BANDS);
      picture.fill(
        0,
        top,
        width,
        Math.ceil(height / BANDS) + 1,
        colourOf(this.#hue + 0.03 * band, 0.25 + 0.2 * Math.sin(2 * Math.PI * (time + band / BANDS)) ** 2),
      );
    }
    for (const { x, y, dx, dy, radius, colour } of this.#balls)
      picture.disc(bounce(x + dx * time) * width, bounce(y + dy * time) * height, radius, colour);
    this.#write();
    // A still has no progress bar.
    if (frames === 1) return picture.data;
    const barTop = height - 10;
    picture.fill(0, barTop, width, 10, BLACK);
    picture.fill(0, barTop + 2, Math.round((width * (index + 1)) / frames), 6, WHITE);
    return picture.data;
  }

  #write(): void {
    const picture = this.#picture;
    const { width } = this.settings;
    const lineHeight = LINE_DOTS * this.#scale;
    if (this.#lines.length > 0) {
      picture.fill(MARGIN - 6, 30, width - 2 * MARGIN + 12, this.#lines.length * lineHeight + 10, PANEL);
      this.#lines.forEach((line, index) => picture.text(line, MARGIN, 36 + index * lineHeight, this.#scale, WHITE));
    }
    picture.fill(0, 0, CAPTION.length * advanceOf(LARGE) + 2 * MARGIN, 24, BLACK);
    picture.text(CAPTION, MARGIN, 5, LARGE, WHITE);
  }

  #wrap(text: string, scale: number): string[] {
    const { width, height } = this.settings;
    const columns = Math.max(1, Math.floor((width - 2 * MARGIN) / advanceOf(scale)));
    return wrapText(text, columns, Math.max(1, Math.floor((height - 64) / (LINE_DOTS * scale))));
  }
}

function ballOf(random: () => number, hue: number, width: number, height: number): Ball {
  const radius = Math.round((0.04 + 0.08 * random()) * Math.min(width, height));
  return {
    radius,
    x: random(),
    y: random(),
    dx: 1 + 2 * random(),
    dy: 1 + 2 * random(),
    colour: colourOf(hue + 0.3 + 0.4 * random(), 0.5 + 0.3 * random(), 1),
  };
}

function bounce(way: number): number {
  const within = way % 2;
  return within < 1 ? within : 2 - within;
}

function randomOf(text: string): () => number {
  let block = createHash('sha256').update(text).digest();
  let at = 0;
  return () => {
    if (at === block.length) {
      block = createHash('sha256').update(block).digest();
      at = 0;
    }
    const value = block.readUInt32BE(at) / 2 ** 32;
    at += 4;
    return value;
  };
}

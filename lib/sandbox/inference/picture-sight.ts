import { pictureTokens } from '@/lib/protocol/chat/picture-tokens';
import { recordOf } from '@/lib/protocol/json-record';
import type { ChatRequest } from '../guide/chat-request';
import type { Sight } from '../guide/reply';
import { Refusal } from '../http/refusal';
import type { StandInModel } from './models';

const PICTURES_MAX = 16;
const PICTURE_BYTES_MAX = 8 * 1024 * 1024;
const PIXELS_MAX = 40_000_000;
const SAMPLE_PX = 256;
const COLOURS_SHOWN = 3;
const SHARE_MIN = 0.03;
const WHAT_IT_DOES =
  'I am a stand-in, not a language model: I decode pictures and measure their colours, and recognise nothing in them.';

interface Colour {
  name: string;
  hex: string;
  share: number;
}

interface Picture {
  format: string;
  width: number;
  height: number;
  bytes: number;
  colours: readonly Colour[];
}

/**
 * Describes the pictures of the last user message.
 * @throws {Refusal} 400 for a picture that cannot be decoded
 */
export async function sightOf({ sees }: StandInModel, { messages }: ChatRequest): Promise<Sight | undefined> {
  if (sees !== true) return undefined;
  const urls = messages.map(({ content }) => pictureUrls(content));
  const count = urls.flat().length;
  if (count === 0) return undefined;
  if (count > PICTURES_MAX)
    throw new Refusal(
      400,
      'TOO_MANY_PICTURES',
      `A chat can have at most ${PICTURES_MAX} pictures, but this chat has ${count}.`,
    );
  const last = messages.findLastIndex(({ role }) => role === 'user');
  let tokens = 0;
  const asked: Picture[] = [];
  for (const [index, own] of urls.entries())
    for (const url of own) {
      const picture = await look(url);
      tokens += pictureTokens(picture);
      if (index === last) asked.push(picture);
    }
  return { tokens, description: asked.length === 0 ? null : described(asked) };
}

function pictureUrls(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const image = recordOf(part)['image_url'];
    const url = typeof image === 'string' ? image : recordOf(image)['url'];
    return typeof url === 'string' ? [url] : [];
  });
}

async function look(url: string): Promise<Picture> {
  const bytes = bytesOf(url);
  const sharp = await decoder();
  try {
    const image = sharp(bytes, { limitInputPixels: PIXELS_MAX });
    const { format, autoOrient } = await image.metadata();
    const { data, info } = await image
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize({ width: SAMPLE_PX, height: SAMPLE_PX, fit: 'inside', kernel: 'nearest', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { format, ...autoOrient, bytes: bytes.byteLength, colours: coloursOf(data, info.channels) };
  } catch {
    throw undecodable();
  }
}

async function decoder() {
  try {
    return (await import('sharp')).default;
  } catch {
    throw new Refusal(400, 'NO_DECODER', 'The package sharp is missing here, so no picture can be decoded.');
  }
}

function bytesOf(url: string): Buffer {
  const comma = url.indexOf(',');
  if (!/^data:image\/[a-z]+;base64$/.test(url.slice(0, comma)))
    throw new Refusal(400, 'INVALID_PICTURE', 'A picture must be a data: URL in base64: this model downloads nothing.');
  const bytes = Buffer.from(url.slice(comma + 1), 'base64');
  if (bytes.byteLength > PICTURE_BYTES_MAX)
    throw new Refusal(400, 'PICTURE_TOO_LARGE', `A picture can have at most ${PICTURE_BYTES_MAX / 1024 / 1024} MiB.`);
  if (!isPngJpegOrWebp(bytes)) throw undecodable();
  return bytes;
}

/** Excludes SVG: the decoder would read it, but an SVG can refer to files. */
function isPngJpegOrWebp(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12);
  return head.startsWith('\x89PNG') || head.startsWith('\xff\xd8\xff') || /^RIFF.{4}WEBP$/s.test(head);
}

function undecodable(): Refusal {
  return new Refusal(400, 'INVALID_PICTURE', 'A picture cannot be decoded. Send it as PNG, JPEG or WebP.');
}

function coloursOf(data: Uint8Array, channels: number): Colour[] {
  const sums = new Map<string, { count: number; red: number; green: number; blue: number }>();
  const isGrey = channels < 3;
  for (let at = 0; at < data.length; at += channels) {
    const red = data[at] as number;
    const green = isGrey ? red : (data[at + 1] as number);
    const blue = isGrey ? red : (data[at + 2] as number);
    const name = colourName(red, green, blue);
    const sum = sums.get(name) ?? { count: 0, red: 0, green: 0, blue: 0 };
    sums.set(name, { count: sum.count + 1, red: sum.red + red, green: sum.green + green, blue: sum.blue + blue });
  }
  const pixels = data.length / channels;
  return [...sums]
    .map(([name, { count, red, green, blue }]) => ({
      name,
      hex: `#${[red, green, blue]
        .map((sum) =>
          Math.round(sum / count)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`,
      share: count / pixels,
    }))
    .sort((one, other) => other.share - one.share)
    .filter(({ share }, index) => index === 0 || share >= SHARE_MIN)
    .slice(0, COLOURS_SHOWN);
}

/** Names of hues by their upper bound in degrees. */
const HUES = [
  [15, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [160, 'green'],
  [190, 'teal'],
  [255, 'blue'],
  [290, 'violet'],
  [345, 'pink'],
] as const;

function colourName(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  const lightness = (2 * most - chroma) / 510;
  if (lightness < 0.1) return 'black';
  if (lightness > 0.94) return 'white';
  if (chroma < 28) return 'grey';
  const sector =
    most === red ? (green - blue) / chroma : most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4;
  const hue = (sector * 60 + 360) % 360;
  const name = HUES.find(([below]) => hue < below)?.[1] ?? 'red';
  return name === 'orange' && lightness < 0.36 ? 'brown' : name;
}

const FORMATS: Readonly<Record<string, string>> = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP' };

function described(pictures: readonly Picture[]): string {
  const lines = pictures.map(({ format, width, height, bytes, colours }, index) => {
    const name = pictures.length === 1 ? 'The picture' : `Picture ${index + 1}`;
    const shares = colours.map(({ name: colour, hex, share }) => `${colour} \`${hex}\` ${Math.round(share * 100)} %`);
    return `**${name}: ${FORMATS[format] ?? format}, ${width} × ${height} pixels**, ${(bytes / 1000).toFixed(1)} kB. Main colours: ${shares.join(', ')}.`;
  });
  return [...lines, `*${WHAT_IT_DOES}*`].join('\n\n');
}

/** Number of bytes before the children of an MP4 box, in boxes whose content begins with fields. */
const FIELDS: Readonly<Record<string, number>> = { stsd: 8, mp4a: 28 };

/** Makes an MP4 box. */
export function box(name: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

/** Replaces the first box at a path in a file, or in the content of a box, and corrects the sizes around it. */
export function replaceBox(
  within: Buffer,
  [name, ...inner]: readonly string[],
  change: (box: Buffer) => Buffer,
  from = 0,
): Buffer {
  let at = from;
  while (within.toString('latin1', at + 4, at + 8) !== name) at += within.readUInt32BE(at);
  const end = at + within.readUInt32BE(at);
  const found = within.subarray(at, end);
  const changed =
    inner.length === 0 ? change(found) : box(name, replaceBox(found.subarray(8), inner, change, FIELDS[name]));
  return Buffer.concat([within.subarray(0, at), changed, within.subarray(end)]);
}

/** Returns the first box at a path. */
export function foundBox(file: Buffer, path: readonly string[]): Buffer {
  let found: Buffer = Buffer.alloc(0);
  replaceBox(file, path, (box) => (found = Buffer.from(box)));
  return found;
}

/** Makes ten frames of `length` bytes. @param head header in hexadecimal */
export function framesOf(head: string, length: number): Buffer[] {
  const frame = Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(length - head.length / 2, 7)]);
  return Array<Buffer>(10).fill(frame);
}

/** Overwrites the bytes at a distance from a mark. */
export function patched(file: Buffer, mark: string, distance: number, bytes: readonly number[]): Buffer {
  const at = file.indexOf(mark, 0, 'latin1');
  if (at < 0) throw new Error(`${mark} is missing.`);
  Buffer.from(bytes).copy(file, at + distance);
  return file;
}

/** Makes an element of a WebM file. @param id in hexadecimal */
export function element(id: string, ...content: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + content.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([Buffer.from(id, 'hex'), size, ...content]);
}

/** Makes blocks of an Opus track in WebM. Each block lasts 60 ms. */
export function opusBlocks(track: number, count: number): Buffer {
  const block = element('a3', Buffer.from([0x80 + track, 0, 0, 0x80, 0x18, 1, 2, 3]));
  return Buffer.concat(Array<Buffer>(count).fill(block));
}

/** Makes the description of an Opus track in WebM. */
export function opusTrack(number: Buffer): Buffer {
  return element('ae', element('d7', number), element('83', Buffer.from([2])), element('86', Buffer.from('A_OPUS')));
}

/** Makes a WebM file whose segment consists of these parts. */
export function webm(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([element('1a45dfa3', element('4282', Buffer.from('webm'))), element('18538067', ...parts)]);
}

/** Computes the checksum of the Ogg page at this offset and writes it into the page. */
export function summed(file: Buffer, at: number): Buffer {
  const segments = file[at + 26] as number;
  const sizes = file.subarray(at + 27, at + 27 + segments);
  const page = file.subarray(at, at + 27 + segments + sizes.reduce((sum, size) => sum + size, 0));
  page.fill(0, 22, 26);
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0);
  }
  page.writeUInt32LE(sum >>> 0, 22);
  return file;
}

/** Header of a FLAC frame of 4,096 samples. The last byte is the header's checksum. */
export const ODD_FLAC = Buffer.from([0xff, 0xf8, 0xc9, 0x08, 0x00, 0]);
{
  let sum = 0;
  for (const byte of ODD_FLAC.subarray(0, 5)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum > 127 ? 7 : 0)) & 255;
  }
  ODD_FLAC[5] = sum;
}

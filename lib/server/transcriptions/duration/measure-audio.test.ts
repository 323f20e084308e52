import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUDIO_KINDS, type AudioKind, audioFile } from '@/test/audio-files';
import {
  box,
  element,
  foundBox,
  framesOf,
  ODD_FLAC,
  opusBlocks,
  opusTrack,
  patched,
  replaceBox,
  summed,
  webm,
} from '@/test/audio-parts';
import { type AudioBytes, UnmeasurableAudio } from './audio-bytes';
import { measureAudio } from './measure-audio';

const SECONDS = 3.217;
/** Tolerance in seconds: one packet of the coarsest codec here, and the silence that encoders add. */
const TOLERANCE = 0.13;
const READS_MAX = 20;

/** Measures a file, and bounds how often it is read. */
async function measured(file: Uint8Array) {
  let reads = 0;
  const source: AudioBytes = {
    length: file.byteLength,
    read: (offset, length) => {
      if (++reads > READS_MAX + file.byteLength / 1_000) throw new Error('The file is read too often.');
      return Promise.resolve(file.subarray(offset, offset + length));
    },
  };
  return measureAudio(source);
}

const made = new Map<AudioKind, Promise<Buffer>>();
async function fileOf(kind: AudioKind): Promise<Buffer> {
  const making = made.get(kind) ?? audioFile(kind, SECONDS);
  made.set(kind, making);
  return Buffer.from(await making);
}

describe.each(AUDIO_KINDS)('%s', (kind) => {
  it('has the length that was recorded', async () => {
    const { format, seconds } = await measured(await fileOf(kind));
    expect(format).toBe(kind.replace('fragmented ', ''));
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it('with any bytes changed, inserted or missing is measured or refused, in bounded time', async () => {
    const file = await fileOf(kind);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.nat(400),
          fc.nat(file.length),
          fc.nat(400).map((back) => Math.max(0, file.length - back)),
        ),
        fc.uint8Array({ maxLength: 12 }),
        fc.oneof(fc.nat(12), fc.nat(file.length)),
        async (at, inserted, removed) => {
          const changed = Buffer.concat([file.subarray(0, at), inserted, file.subarray(at + removed)]);
          const outcome: unknown = await measured(changed).catch((error: unknown) => error);
          if (outcome instanceof UnmeasurableAudio) expect(outcome.message).toMatch(/^[A-Z].*\.$/);
          else expect(outcome).toMatchObject({ seconds: expect.any(Number) });
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a claimed length changes nothing', () => {
  const claims: [string, AudioKind, (file: Buffer) => Buffer][] = [
    ['an Info frame of one frame', 'mp3', (file) => patched(file, 'Info', 8, [0, 0, 0, 1])],
    ['a STREAMINFO of one sample', 'flac', (file) => patched(file, 'fLaC', 22, [0, 0, 0, 1])],
    [
      'a last page at sample 0',
      'ogg',
      (file) => {
        const last = file.lastIndexOf('OggS');
        file.fill(0, last + 6, last + 14);
        return summed(file, last);
      },
    ],
    ['a media header of no time', 'mp4', (file) => patched(file, 'mdhd', 20, [0, 0, 0, 0])],
    ['samples that last nothing', 'mp4', (file) => patched(file, 'stts', 16, [0, 0, 0, 0])],
    ['a RIFF of no bytes', 'wav', (file) => patched(file, 'RIFF', 4, [0, 0, 0, 0])],
    ['sound of unknown size', 'wav', (file) => patched(file, 'data', 4, [255, 255, 255, 255])],
    ['sound of 1,000,000,000 bytes', 'wav', (file) => patched(file, 'data', 4, [0, 0xca, 0x9a, 0x3b])],
    ['sound of 2,000,000,000 bytes', 'wav', (file) => patched(file, 'data', 4, [0, 0x94, 0x35, 0x77])],
    ['sound of no size', 'wav', (file) => patched(file, 'data', 4, [0, 0, 0, 0])],
  ];
  it.each(claims)('%s in %s', async (_name, kind, change) => {
    const { seconds } = await measured(change(await fileOf(kind)));
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it('nor do block times in WebM', async () => {
    const file = await fileOf('webm');
    // Each SimpleBlock has its track, a time of two bytes and flags.
    for (let at = file.indexOf(0xa3); at >= 0; at = file.indexOf(0xa3, at + 1))
      if (file[at + 2] === 0x81 && file[at + 5] === 0x80) file.fill(0, at + 3, at + 5);
    expect(Math.abs((await measured(file)).seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });
});

describe('everything that a player would decode counts', () => {
  it.each<AudioKind>(['mp3', 'ogg', 'flac'])('in two files of %s after each other', async (kind) => {
    const file = await fileOf(kind);
    const again = kind === 'flac' ? file.subarray(file.indexOf(Buffer.from([0xff, 0xf8]))) : file;
    const { seconds } = await measured(Buffer.concat([file, again]));
    expect(Math.abs(seconds - 2 * SECONDS)).toBeLessThan(2 * TOLERANCE);
  });

  it('after zeros between an ID3 tag and the MP3', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(1_000)]);
    const { seconds } = await measured(Buffer.concat([tag, await fileOf('mp3')]));
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it('in a second "data" chunk of WAV', async () => {
    const file = await fileOf('wav');
    const { seconds } = await measured(Buffer.concat([file, file.subarray(file.indexOf('data'))]));
    expect(seconds).toBeCloseTo(2 * SECONDS, 2);
  });

  it('after an ID3 tag, and with a tag at the end', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x02\0', 'latin1'), Buffer.alloc(256, 0xff)]);
    const last = Buffer.from('TAG'.padEnd(128, '\xff'), 'latin1');
    const { seconds } = await measured(Buffer.concat([tag, await fileOf('mp3'), last]));
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  // FFmpeg 5.1 plays as many blocks of this file as the file had samples before.
  it.each([3, 10])('in samples of MP4 that hold %i blocks', async (count) => {
    const file = await fileOf('mp4');
    const { seconds } = await measured(file);
    expect((await measured(merged(file, count))).seconds).toBe(seconds);
  });

  it('in samples of fragments that hold several blocks', async () => {
    const file = await fileOf('fragmented mp4');
    const { seconds } = await measured(file);
    for (let at = file.indexOf('trun'); at >= 0; at = file.indexOf('trun', at + 1)) {
      expect(file.readUInt32BE(at + 4) & 0xf00).toBe(0x200);
      const first = at + 12 + [0x1, 0x4].filter((flag) => (file.readUInt32BE(at + 4) & flag) !== 0).length * 4;
      const sizes = Array.from({ length: file.readUInt32BE(at + 8) }, (_none, nth) =>
        file.readUInt32BE(first + nth * 4),
      );
      file.writeUInt32BE(1, at + 8);
      file.writeUInt32BE(
        sizes.reduce((sum, size) => sum + size, 0),
        first,
      );
    }
    expect((await measured(file)).seconds).toBe(seconds);
  });

  it('in samples of MP4 whose handler comes later', async () => {
    const file = merged(await fileOf('mp4'), 10);
    const mdia = file.indexOf('mdia') + 4;
    const [start, end] = [file.indexOf('hdlr', mdia) - 4, file.indexOf('minf', mdia) - 4];
    const after = end + file.readUInt32BE(end);
    const moved = [file.subarray(0, start), file.subarray(end, after), file.subarray(start, end), file.subarray(after)];
    expect(Math.abs((await measured(Buffer.concat(moved))).seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it('in WebM with a stray TrackType after the tracks', async () => {
    const file = await fileOf('webm');
    const cluster = file.lastIndexOf(Buffer.from('1f43b675', 'hex'));
    const stray = Buffer.concat([file.subarray(0, cluster), Buffer.from([0x83, 0x81, 1]), file.subarray(cluster)]);
    // A segment of unknown size, because it is longer now.
    Buffer.from('07ffffffffff', 'hex').copy(stray, stray.indexOf(Buffer.from('18538067', 'hex')) + 4);
    expect(Math.abs((await measured(stray)).seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });
});

const TABLES = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
const [SOUND, DECODER] = [
  [...TABLES, 'stsz'],
  [...TABLES, 'stsd', 'mp4a', 'esds'],
];

/** An MP4 whose first track says that it has one sample, with more boxes at the end of that track. */
async function shortTrack(...more: readonly Buffer[]): Promise<Buffer> {
  const short = replaceBox(await fileOf('mp4'), SOUND, (table) => (table.writeUInt32BE(1, 16), table));
  return replaceBox(short, ['moov', 'trak'], (track) => box('trak', track.subarray(8), ...more));
}

/** A WAV whose samples are these bytes. */
async function samplesOf(...parts: readonly Buffer[]): Promise<Buffer> {
  const file = await fileOf('wav');
  return patched(Buffer.concat([file.subarray(0, file.indexOf('data') + 8), ...parts]), 'data', 4, [0, 0, 0, 0]);
}

/** Returns an MP4 with an edit list of these times. The time -1 makes a silent edit. */
function edited(file: Buffer, times: readonly number[], version: 0 | 1 = 0): Buffer {
  const list = Buffer.alloc(8 + times.length * (version === 0 ? 12 : 20), 0);
  list[0] = version;
  list.writeUInt32BE(times.length, 4);
  for (const [index, time] of times.entries()) {
    if (version === 0) list.writeInt32BE(time, 8 + index * 12 + 4);
    else list.writeBigInt64BE(BigInt(time), 8 + index * 20 + 8);
  }
  return replaceBox(file, ['moov', 'trak'], (track) => box('trak', track.subarray(8), box('edts', box('elst', list))));
}

/** Joins this many samples of an MP4 into one sample. The file must have only one track. */
function merged(file: Buffer, count: number): Buffer {
  const table = foundBox(file, SOUND);
  const sizes = Array.from({ length: table.readUInt32BE(16) }, (_none, nth) => table.readUInt32BE(20 + nth * 4));
  const sums = sizes.flatMap((_size, nth) =>
    nth % count === 0 ? [sizes.slice(nth, nth + count).reduce((sum, size) => sum + size, 0)] : [],
  );
  const words = (...values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
    return bytes;
  };
  const first = foundBox(file, [...TABLES, 'stco']).readUInt32BE(16);
  const joined = replaceBox(file, SOUND, () => box('stsz', words(0, 0, sums.length, ...sums)));
  const listed = replaceBox(joined, [...TABLES, 'stsc'], () => box('stsc', words(0, 1, 1, sums.length, 1)));
  return replaceBox(listed, [...TABLES, 'stco'], () => box('stco', words(0, 1, first)));
}

/** Writes bytes into the start of the first sample of an MP4. */
function sampled(file: Buffer, hex: string): Buffer {
  Buffer.from(hex, 'hex').copy(file, foundBox(file, [...TABLES, 'stco']).readUInt32BE(16));
  return file;
}

const HIDDEN = element('1f43b675', opusBlocks(1, 50));
const TRACKS = element('1654ae6b', opusTrack(Buffer.from([1])));

it('quiet and loud noise contains the marks of other formats by chance, and is measured', async () => {
  for (const peak of [1, 40, 500, 32_000]) {
    const samples = Buffer.alloc(4_000_000);
    let state = 1;
    for (let at = 0; at < samples.length; at += 2) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      samples.writeInt16LE(Math.round(peak * (state / 2 ** 31 - 1)), at);
    }
    const file = await samplesOf(samples);
    const rate = file.readUInt32LE(file.indexOf('fmt ') + 16);
    expect((await measured(file)).seconds, `${peak}`).toBeCloseTo(samples.length / rate, 5);
  }
});

describe('sound is not hidden from the price', () => {
  it('in frames of MP3 that a header of another kind covers', async () => {
    const file = await fileOf('mp3');
    const start = file.indexOf(Buffer.from([0xff, 0xf3]));
    const frame = file.subarray(start, file.indexOf(file.subarray(start, start + 2), start + 1));
    // MPEG 1, layer 3, 320 kbit/s at 32 kHz: 1,440 bytes.
    const cover = Buffer.alloc(1_440);
    Buffer.from('fffbe800', 'hex').copy(cover);
    const count = Math.floor((cover.length - 4) / frame.length);
    for (let at = 0; at < count; at++) frame.copy(cover, 4 + at * frame.length);
    const { seconds } = await measured(Buffer.concat([frame, ...Array<Buffer>(9).fill(cover), frame]));
    // The first frame holds no sound.
    expect(seconds).toBeCloseTo((1 + 9 * count) * (576 / 24_000), 3);
  });

  it('in a track of WebM whose number is written in 8 bytes', async () => {
    const tracks = element('1654ae6b', opusTrack(Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])), opusTrack(Buffer.from([2])));
    const file = webm(tracks, element('1f43b675', opusBlocks(1, 50), opusBlocks(2, 1)));
    expect((await measured(file)).seconds).toBeCloseTo(3, 5);
  });

  it('and a list of elements in WebM hides nothing', async () => {
    const seek = element('114d9b74', element('4dbb', element('53ab', Buffer.from('1f43b675', 'hex'))));
    const file = webm(seek, TRACKS, element('1f43b675', element('e7', Buffer.from([0])), opusBlocks(1, 50)));
    expect((await measured(file)).seconds).toBeCloseTo(3, 5);
  });

  it('in a second track of MP4 after a box without a size', async () => {
    const file = await shortTrack(Buffer.from('\0\0\0\0free', 'latin1'));
    const whole = patched(foundBox(await fileOf('mp4'), ['moov', 'trak']), 'tkhd', 16, [0, 0, 0, 2]);
    const both = replaceBox(file, ['moov'], (moov) => box('moov', moov.subarray(8), whole));
    expect(Math.abs((await measured(both)).seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it('and the names and pictures that players write into MP4 are no sound', async () => {
    const handler = box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0mdirappl\0\0\0\0\0\0\0\0\0', 'latin1'));
    const list = box('ilst', box('covr', box('data', Buffer.alloc(5_000, 0xd8))));
    const names = box('udta', box('meta', Buffer.alloc(4), handler, list), Buffer.alloc(4));
    const file = replaceBox(await fileOf('mp4'), ['moov'], (moov) => box('moov', moov.subarray(8), names));
    expect(Math.abs((await measured(file)).seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it.each([0, 1] as const)('and silence before the sound of MP4 costs nothing, version %i', async (version) => {
    const file = edited(await fileOf('mp4'), [-1, 1_024], version);
    expect(Math.abs((await measured(file)).seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['A-law of 16 bits, which decoders read as 8', async () => patched(await fileOf('wav'), 'fmt ', 8, [6, 0])],
    ['WAV that is followed by XMA2', async () => Buffer.concat([await fileOf('wav'), Buffer.from('XMA2\0\0\0\0')])],
    ['MP3 in place of samples', async () => samplesOf(await fileOf('mp3'))],
    ['MP3 after other samples', async () => samplesOf(Buffer.alloc(70_001, 9), (await fileOf('mp3')).subarray(1_000))],
    ['MP3 after a tag in place of samples', async () => samplesOf(Buffer.from('ID3\x04'), await fileOf('mp3'))],
    ['ADTS in place of samples', async () => samplesOf(...framesOf('fff150800c9ffc', 100))],
    ['LOAS in place of samples', async () => samplesOf(...framesOf('56e06100000000', 100))],
    ['AC-3 in place of samples', async () => samplesOf(...framesOf('0b7700000040ff', 128))],
    ['swapped E-AC-3 in place of samples', async () => samplesOf(...framesOf('770b3f008000ff', 128))],
    ['DTS in place of samples', async () => samplesOf(...framesOf('7ffe8001000000', 900))],
    ['DTS of 14 bits in place of samples', async () => samplesOf(...framesOf('ff1f00e8f10700', 900))],
    [
      'DTS after a megabyte of other samples',
      async () =>
        samplesOf(
          Buffer.alloc(1_000_000, 9),
          ...Array.from({ length: 10 }, () => framesOf('7ffe8001000000', 900)).flat(),
        ),
    ],
    [
      'WAV of 8 valid bits in 16',
      async () => {
        const file = await fileOf('wav');
        const [start, data] = [file.indexOf('fmt ') + 8, file.indexOf('data')];
        const more = Buffer.from('16000800000000000100000000001000800000aa00389b71', 'hex');
        const long = Buffer.concat([file.subarray(0, start + 16), more, file.subarray(data)]);
        return patched(patched(long, 'fmt ', 4, [40]), 'fmt ', 8, [0xfe, 0xff]);
      },
    ],
    [
      'WebM with a cluster in an element that exceeds its own',
      async () => {
        const short = element('1f43b675', opusBlocks(1, 1), element('ec', HIDDEN));
        short.writeUInt32BE(0x10000000 + short.length - 8 - HIDDEN.length, 4);
        return webm(TRACKS, short);
      },
    ],
    [
      'WebM with a cluster in a time of too many bytes',
      async () => webm(TRACKS, element('1f43b675', opusBlocks(1, 1), element('e7', HIDDEN))),
    ],
    [
      'WebM with a cluster in a block of no track',
      async () =>
        webm(TRACKS, element('1f43b675', opusBlocks(1, 1), element('a3', Buffer.from([0x85, 0, 0, 0x80]), HIDDEN))),
    ],
    [
      'WebM with a cluster in a laced block of video',
      async () => {
        const video = element('ae', element('d7', Buffer.from([2])), element('83', Buffer.from([1])));
        const block = element('a3', Buffer.from([0x82, 0, 0, 0x86, 255, 255]), HIDDEN);
        return webm(
          element('1654ae6b', opusTrack(Buffer.from([1])), video),
          element('1f43b675', opusBlocks(1, 1), block),
        );
      },
    ],
    [
      'MP4 with a track behind a box that exceeds its own',
      async () => {
        const file = await shortTrack(Buffer.from('\x7f\0\0\0free', 'latin1'));
        const whole = foundBox(await fileOf('mp4'), ['moov', 'trak']);
        return replaceBox(file, ['moov'], (moov) => box('moov', moov.subarray(8), whole));
      },
    ],
    ...['udta', 'edts', 'tref'].map((name): [string, () => Promise<Buffer>] => [
      `MP4 with a second table of samples in "${name}"`,
      async () => shortTrack(box(name, foundBox(await fileOf('mp4'), SOUND))),
    ]),
    [
      'MP4 with two tracks of one number',
      async () => {
        const whole = foundBox(await fileOf('mp4'), ['moov', 'trak']);
        return replaceBox(await fileOf('mp4'), ['moov'], (moov) => box('moov', moov.subarray(8), whole));
      },
    ],
    ['MP4 with samples of one size', async () => patched(await fileOf('mp4'), 'stsz', 8, [0, 0x10, 0, 0])],
    ['MP4 with billions of samples', async () => patched(await fileOf('mp4'), 'stsz', 12, [255, 255, 255, 255])],
    // FFmpeg 5.1 applies this header, and then plays the sound at 7,350 Hz.
    ['MP4 with a header of ADTS in a sample', async () => sampled(await fileOf('mp4'), 'fff170800000fc')],
    ['MP4 with a sample that is no AAC', async () => sampled(await fileOf('mp4'), 'aaaaaaaaaaaaaaaa')],
    ['MP4 whose samples overlap', async () => patched(await fileOf('mp4'), 'stco', 16, [0, 0, 0, 40])],
    [
      'MP4 whose samples last one tick',
      async () =>
        replaceBox(await fileOf('mp4'), [...TABLES, 'stts'], () =>
          box('stts', Buffer.from('0000000000000001000000ff00000001', 'hex')),
        ),
    ],
    // FFmpeg 5.1 plays the sound once for each of the edits.
    ['MP4 that plays its sound ten times by an edit list', async () => edited(await fileOf('mp4'), Array(10).fill(0))],
    ['MP4 with two edit lists', async () => edited(edited(await fileOf('mp4'), [0]), [0])],
    [
      'MP4 with two descriptions of one decoder',
      async () => replaceBox(await fileOf('mp4'), DECODER, (one) => Buffer.concat([one, one])),
    ],
    [
      'MP4 with a decoder outside of its description',
      async () => shortTrack(box('udta', box('esds', Buffer.alloc(40)))),
    ],
  ])('%s is refused', async (_name, make) => {
    await expect(measured(await make())).rejects.toThrow(UnmeasurableAudio);
  });
});

describe('containers within containers', () => {
  const nested = (depth: number, wrap: (inner: Buffer) => Buffer): Buffer => {
    let inner: Buffer = Buffer.alloc(0);
    for (let at = 0; at < depth; at++) inner = wrap(inner);
    return inner;
  };
  const files: [AudioKind, (depth: number) => Promise<Buffer>][] = [
    [
      'mp4',
      async (depth) => {
        const more = nested(depth, (inner) => box('udta', inner));
        return replaceBox(await fileOf('mp4'), ['moov'], (moov) => box('moov', moov.subarray(8), more));
      },
    ],
    [
      'webm',
      (depth) => {
        const more = nested(depth, (inner) => element('a0', inner));
        return Promise.resolve(webm(TRACKS, element('1f43b675', opusBlocks(1, 50), more)));
      },
    ],
  ];

  it.each(files)('of %s are followed to a small depth, and refused beyond it', async (_kind, fileWith) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(10), fc.integer({ min: 20, max: 1_000 }), async (few, many) => {
        expect((await measured(await fileWith(few))).seconds).toBeGreaterThan(2.9);
        await expect(measured(await fileWith(many))).rejects.toThrow(UnmeasurableAudio);
      }),
      { numRuns: 20 },
    );
  });
});

describe('refused with a sentence', () => {
  const opus = () => fileOf('ogg');
  it.each<[string, () => Promise<Buffer>]>([
    ['text', () => Promise.resolve(Buffer.from('Hello, this is text.'))],
    ['nothing', () => Promise.resolve(Buffer.alloc(0))],
    ['AIFF', () => Promise.resolve(Buffer.from('FORM\0\0\0\x20AIFFCOMM'))],
    ['AVI', () => Promise.resolve(Buffer.from('RIFF\0\0\0\x20AVI LIST'))],
    ['compressed WAV', async () => patched(await fileOf('wav'), 'fmt ', 8, [0x55, 0])],
    ['WAV whose header contradicts itself', async () => patched(await fileOf('wav'), 'fmt ', 16, [255, 255, 255, 127])],
    ['WAV of a rate that nobody plays', async () => patched(await fileOf('wav'), 'fmt ', 12, [255, 255, 255, 127])],
    ['WAV without a format', async () => patched(await fileOf('wav'), 'fmt ', 0, [106, 117, 110, 107])],
    ['Vorbis in Ogg', async () => patched(await opus(), 'OpusHead', 0, [1, 118, 111, 114, 98, 105, 115, 0])],
    ['Vorbis in WebM', async () => patched(await fileOf('webm'), 'A_OPUS', 2, [86, 79, 82, 66])],
    ['WebM without sound', async () => patched(await fileOf('webm'), '\x83\x81\x02', 2, [1])],
    ['ALAC in MP4', async () => patched(await fileOf('mp4'), 'mp4a', 0, [97, 108, 97, 99])],
    ['MP4 without sound', async () => patched(await fileOf('mp4'), 'soun', 0, [118, 105, 100, 101])],
    [
      'an MP3 header and then noise',
      () => Promise.resolve(Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(200_000, 0x11)])),
    ],
    [
      'MP3 of a free bit rate',
      () => Promise.resolve(Buffer.concat([Buffer.from('fffb0000', 'hex'), Buffer.alloc(999)])),
    ],
    ['FLAC without frames', async () => (await fileOf('flac')).subarray(0, 42)],
    ['an Ogg page whose checksum is wrong', async () => patched(await opus(), 'OpusTags', 20, [1, 2, 3])],
    [
      'an Ogg page that is cut',
      async () => {
        const file = await opus();
        return file.subarray(0, file.length - 3);
      },
    ],
    [
      'MP3 after an invalid tag',
      async () =>
        Buffer.concat([Buffer.from('ID3\x04\0\0\x80\0\x02\0', 'latin1'), Buffer.alloc(256), await fileOf('mp3')]),
    ],
    [
      'MP3 after a tag of no version',
      async () => Buffer.concat([Buffer.from('ID3\xff\0\0\0\0\0\0', 'latin1'), await fileOf('mp3')]),
    ],
    ['ADTS before MP3', async () => Buffer.concat([Buffer.from('fff15080', 'hex'), await fileOf('mp3')])],
    [
      'ADTS between a tag and MP3',
      async () =>
        Buffer.concat([
          Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
          Buffer.from('fff15080', 'hex'),
          await fileOf('mp3'),
        ]),
    ],
    ['much that is no MP3 within it', async () => Buffer.concat([await fileOf('mp3'), Buffer.alloc(5_000, 0x11)])],
    ['FLAC of another rate than its first frame', async () => patched(await fileOf('flac'), 'fLaC', 18, [0x0b, 0xb8])],
    [
      'FLAC with frames of other rates',
      async () => Buffer.concat([await fileOf('flac'), ...Array<Buffer>(60).fill(ODD_FLAC)]),
    ],
    ['WebM with an element past its end', async () => Buffer.concat([await fileOf('webm'), Buffer.from([0xec, 0xbf])])],
    ['garbage after an Ogg stream', async () => Buffer.concat([await opus(), Buffer.alloc(100, 7)])],
  ])('%s', async (_name, make) => {
    await expect(measured(await make())).rejects.toThrow(UnmeasurableAudio);
  });

  it('any bytes that begin like a format', async () => {
    const heads = [
      'RIFF\0\0\0\0WAVE',
      'fLaC',
      'OggS\0',
      '\x1a\x45\xdf\xa3',
      '\0\0\0\x08ftyp',
      'ID3\x03\0\0',
      '\xff\xfb\x90',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 2_000 }), async (head, rest) => {
        const outcome: unknown = await measured(Buffer.concat([Buffer.from(head, 'latin1'), rest])).catch(
          (error: unknown) => error,
        );
        if (!(outcome instanceof UnmeasurableAudio)) expect(outcome).toMatchObject({ seconds: expect.any(Number) });
      }),
      { numRuns: 500 },
    );
  });
});

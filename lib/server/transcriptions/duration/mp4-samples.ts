import { aacBlocks } from './aac-blocks';
import type { Aac } from './mp4-aac';
import { type ByteWindow, numberAt, UnmeasurableAudio, WINDOW_BYTES } from './audio-bytes';

/**
 * Maximum size of a sample. If samples are in file order, this limit keeps all reads together below twice the file's
 * size.
 */
const SAMPLE_BYTES_MAX = WINDOW_BYTES / 2;
/** Maximum bytes to read for each byte of the file. Files with several tracks or with pictures need more than 1. */
const READ_PER_BYTE_MAX = 16;
/** Bytes before the entries of a table: version, flags and the number of entries. */
const COUNT_BYTES = 8;

export interface Box {
  content: Uint8Array;
  at: number;
  size: number;
}

/** Position in a track's sound. The track's samples must be in file order and must not overlap. */
interface Sound {
  /** File offset after the last sample. */
  next: number;
  blocks: number;
}

/** Run of samples of a fragment, with values from the fragment's header. */
interface Run {
  box: Box;
  /** File offset of the fragment's data. */
  base: number;
  /** Size of every sample, used if the run states no sizes. */
  shared: number;
}

/**
 * Reads the samples of an MP4, and counts the blocks of AAC in them. Limits the total bytes that are read and parsed.
 */
export class Mp4Samples {
  readonly #window: ByteWindow;
  #readable: number;
  #parseable: number;

  constructor(private readonly bytes: ByteWindow) {
    this.#window = bytes.another();
    this.#parseable = bytes.length;
    this.#readable = READ_PER_BYTE_MAX * (bytes.length + WINDOW_BYTES);
  }

  /** Counts the blocks in the samples of a track's tables: "stsz" or "stz2", "stco" or "co64", and "stsc". */
  async ofTrack(tables: ReadonlyMap<string, Box>, sound: Sound, aac: Aac): Promise<void> {
    const [sizes, long, chunks, runs] = ['stsz', 'co64', 'stco', 'stsc'].map((name) => tables.get(name));
    const compact = tables.get('stz2');
    const listed = sizes ?? compact;
    const offsets = long ?? chunks;
    if ((sizes && compact) || (long && chunks)) throw damaged();
    const samples = listed ? numberAt(listed.content, 8, 4) : 0;
    if (!listed || samples === 0) return;
    if (!offsets || !runs) throw damaged();
    const shared = sizes ? numberAt(sizes.content, 4, 4) : 0;
    const width = sizes ? 4 : (listed.content[7] ?? 0) / 8;
    if (![1, 2, 4].includes(width)) throw damaged();
    const sizeOf = shared > 0 ? null : this.#table(listed, { width, start: 12, count: samples });
    const offsetOf = this.#counted(offsets, long ? 8 : 4);
    const runOf = this.#counted(runs, 12);
    let [run, perChunk, sample] = [0, 0, 0];
    for (let chunk = 0; chunk < offsetOf.count && sample < samples; chunk++) {
      if (run < runOf.count) {
        const entry = runOf.held(run) ?? (await runOf.load(run));
        const first = numberAt(entry, 0, 4) - 1;
        if (first < chunk) throw damaged();
        if (first === chunk) {
          run++;
          perChunk = numberAt(entry, 4, 4);
          if (numberAt(entry, 8, 4) !== 1) throw damaged();
        }
      }
      if (perChunk === 0) throw damaged();
      let at = numberAt(offsetOf.held(chunk) ?? (await offsetOf.load(chunk)), 0, long ? 8 : 4);
      for (let place = 0; place < perChunk && sample < samples; place++, sample++) {
        const size = sizeOf ? numberAt(sizeOf.held(sample) ?? (await sizeOf.load(sample)), 0, width) : shared;
        await this.#count(at, size, sound, aac);
        at += size;
      }
    }
    if (sample < samples) throw damaged();
  }

  async ofRun({ box, base, shared }: Run, sound: Sound, aac: Aac): Promise<void> {
    const { content } = box;
    const flags = numberAt(content, 1, 3);
    const has = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
    // Decoders disagree about where a run without an offset starts.
    if (has(1) === 0) throw damaged();
    let at = base + (numberAt(content, 8, 4) | 0);
    const samples = numberAt(content, 4, 4);
    const table = {
      width: 4 + has(0x100) + has(0x400) + has(0x800),
      start: COUNT_BYTES + has(1) + has(4),
      count: samples,
    };
    if (has(0x200) === 0) {
      for (let sample = 0; shared > 0 && sample < samples; sample++, at += shared)
        await this.#count(at, shared, sound, aac);
      return;
    }
    const sizeOf = this.#table(box, table);
    for (let sample = 0; sample < samples; sample++) {
      const size = numberAt(sizeOf.held(sample) ?? (await sizeOf.load(sample)), has(0x100), 4);
      await this.#count(at, size, sound, aac);
      at += size;
    }
  }

  async #count(at: number, size: number, sound: Sound, { rateIndex }: Aac): Promise<void> {
    if (size === 0) return;
    this.#parseable -= size;
    const end = at + size;
    if (at < sound.next || size > SAMPLE_BYTES_MAX || end > this.bytes.length || this.#parseable < 0) throw damaged();
    sound.next = end;
    sound.blocks += aacBlocks(this.#window.held(at, size) ?? (await this.#load(at, size)), rateIndex);
  }

  #load(at: number, size: number): Promise<Uint8Array> {
    this.#readable -= WINDOW_BYTES;
    if (this.#readable < 0) throw damaged();
    return this.#window.load(at, size);
  }

  #counted(box: Box, width: number): Table {
    return this.#table(box, { width, start: COUNT_BYTES, count: numberAt(box.content, 4, 4) });
  }

  #table({ at, size }: Box, { width, start, count }: { width: number; start: number; count: number }): Table {
    if (start + count * width > size || at + size > this.bytes.length) throw damaged();
    return new Table(this.bytes.another(), at + start, width, count);
  }
}

/** Table of entries that all have the same number of bytes, to be read in order. */
class Table {
  constructor(
    private readonly window: ByteWindow,
    private readonly at: number,
    private readonly width: number,
    readonly count: number,
  ) {}

  held(index: number): Uint8Array | null {
    return this.window.held(this.at + index * this.width, this.width);
  }

  load(index: number): Promise<Uint8Array> {
    return this.window.load(this.at + index * this.width, this.width);
  }
}

/** Returns the error for an MP4 that players may read in different ways. */
export function damaged(): UnmeasurableAudio {
  return new UnmeasurableAudio('The MP4 file is damaged, so its length cannot be measured.');
}

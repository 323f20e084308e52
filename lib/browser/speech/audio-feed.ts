'use client';

/** Audio that is played while it arrives. */
export interface AudioFeed {
  /** Address for an audio element. */
  url: string;
  append(chunk: Uint8Array<ArrayBuffer>): void;
  /** All of it has been appended: the length is known, and all of it can be sought. */
  end(): void;
  close(): void;
}

/** Types of Media Source Extensions by the content type of the answer. What is not here plays when all of it has come. */
const FEEDABLE: Readonly<Record<string, string>> = { 'audio/mpeg': 'audio/mpeg', 'audio/aac': 'audio/aac' };

/** Whether this browser plays a content type while it arrives. */
export function canFeed(contentType: string): boolean {
  const type = FEEDABLE[contentType];
  return type !== undefined && typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(type);
}

/** A feed for a type of which `canFeed` is true (Media Source Extensions, W3C). Chunks wait in line for the browser's buffer. */
export function createAudioFeed(contentType: string): AudioFeed {
  const source = new MediaSource();
  const url = URL.createObjectURL(source);
  const waiting: Uint8Array<ArrayBuffer>[] = [];
  let buffer: SourceBuffer | null = null;
  let isEnded = false;
  const flow = () => {
    if (buffer === null || buffer.updating || source.readyState !== 'open') return;
    const next = waiting.shift();
    if (next !== undefined) buffer.appendBuffer(next);
    else if (isEnded) source.endOfStream();
  };
  source.addEventListener(
    'sourceopen',
    () => {
      buffer ??= source.addSourceBuffer(FEEDABLE[contentType] ?? contentType);
      buffer.addEventListener('updateend', flow);
      flow();
    },
    { once: true },
  );
  return {
    url,
    append(chunk) {
      waiting.push(chunk);
      flow();
    },
    end() {
      isEnded = true;
      flow();
    },
    close: () => URL.revokeObjectURL(url),
  };
}

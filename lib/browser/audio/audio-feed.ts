'use client';

export interface AudioFeed {
  url: string;
  append(chunk: Uint8Array<ArrayBuffer>): void;
  /** Marks the audio as complete, so that the audio element knows the length and can seek. */
  end(): void;
  close(): void;
}

/** Media Source types by content type. Other formats play only when complete. */
const FEEDABLE: Readonly<Record<string, string>> = { 'audio/mpeg': 'audio/mpeg', 'audio/aac': 'audio/aac' };

/** Returns whether this browser can play a content type while the audio arrives. */
export function canFeed(contentType: string): boolean {
  const type = FEEDABLE[contentType];
  return type !== undefined && typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(type);
}

/** Creates a feed for a type that `canFeed` accepts (Media Source Extensions, W3C). */
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

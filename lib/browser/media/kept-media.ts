'use client';

/** Sound and pictures that this browser keeps beside what it stores of them, by id. */
export interface KeptMedia {
  put(id: string, media: Blob): Promise<void>;
  /** null where it was never kept, was forgotten, or cannot be kept here. */
  get(id: string): Promise<Blob | null>;
  forget(ids: readonly string[]): Promise<void>;
  forgetAll(): Promise<void>;
}

/**
 * Keeps media in a cache of its own. Where the browser has none (it needs HTTPS or localhost) or is full, nothing
 * is kept, and what was made lasts as long as the page.
 */
export function createKeptMedia(name: string): KeptMedia {
  const open = async (): Promise<Cache | null> => {
    try {
      return await caches.open(name);
    } catch {
      return null;
    }
  };
  const addressOf = (id: string) => `/kept/${name}/${encodeURIComponent(id)}`;
  return {
    async put(id, media) {
      const cache = await open();
      // Full, or refused: what was made lasts as long as the page.
      await cache?.put(addressOf(id), new Response(media)).catch(() => undefined);
    },
    async get(id) {
      const found = await (await open())?.match(addressOf(id));
      return found === undefined ? null : await found.blob();
    },
    async forget(ids) {
      const cache = await open();
      await Promise.all(ids.map(async (id) => cache?.delete(addressOf(id))));
    },
    async forgetAll() {
      try {
        await caches.delete(name);
      } catch {
        // Where there is no cache nothing was kept.
      }
    },
  };
}

'use client';

export interface KeptMedia {
  put(id: string, media: Blob): Promise<void>;
  /** Returns null if the media were never stored, were removed, or cannot be stored in this browser. */
  get(id: string): Promise<Blob | null>;
  forget(ids: readonly string[]): Promise<void>;
  forgetAll(): Promise<void>;
}

/**
 * Stores media in the Cache API. Stores nothing if it is missing (plain HTTP) or full. Beyond `itemsMax`,
 * deletes the oldest.
 */
export function createKeptMedia(name: string, { itemsMax = Infinity }: { itemsMax?: number } = {}): KeptMedia {
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
      await cache?.put(addressOf(id), new Response(media)).catch(() => undefined);
      if (cache === null || itemsMax === Infinity) return;
      // Keys are in insertion order.
      const keys = await cache.keys();
      await Promise.all(keys.slice(0, Math.max(0, keys.length - itemsMax)).map((key) => cache.delete(key)));
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
        // Without a cache, nothing was stored.
      }
    },
  };
}

'use client';

import { createKeptMedia } from '@/lib/browser/storage/kept-media';

/** Maximum number of stored pictures. Their total size is at most 60 MB. */
const PICTURES_KEPT_MAX = 120;
/** Maximum number of pictures in memory, for pages over plain HTTP, which cannot store pictures. */
const HELD_MAX = 32;

const kept = createKeptMedia('turnpike.chat-pictures', { itemsMax: PICTURES_KEPT_MAX });
const held = new Map<string, Blob>();

export async function keepPicture(id: string, picture: Blob): Promise<void> {
  held.set(id, picture);
  if (held.size > HELD_MAX) held.delete(held.keys().next().value as string);
  await kept.put(id, picture);
}

/** Returns null if this browser no longer has the picture. */
export async function keptPicture(id: string): Promise<Blob | null> {
  return held.get(id) ?? (await kept.get(id));
}

export async function forgetPictures(ids: readonly string[]): Promise<void> {
  ids.forEach((id) => held.delete(id));
  await kept.forget(ids);
}

export async function forgetAllPictures(): Promise<void> {
  held.clear();
  await kept.forgetAll();
}

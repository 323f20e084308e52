'use client';

import { newId } from '@/lib/browser/page/new-id';
import { type AttachedPicture, PICTURE_TYPES } from './attached-pictures';
import { chatFileWords as words } from './file-words';
import { keepPicture } from './kept-pictures';

const PICTURES_MAX = 4;
const FILE_BYTES_MAX = 20_000_000;
const PIXELS_MAX = 50_000_000;
const SIDE_MAX_PX = 1_568;
/** Maximum size of a picture. The gateway accepts 8 MiB per request, and a request has at most 8 pictures. */
const BYTES_MAX = 500_000;
const SHRINKS_MAX = 6;

export interface ReadPictures {
  pictures: readonly AttachedPicture[];
  refused: readonly string[];
}

/** Reads and stores pictures. Redraws each picture within the limits, which also removes metadata such as the location of a photo. */
export async function readPictures(given: readonly File[], attached: number): Promise<ReadPictures> {
  const pictures: AttachedPicture[] = [];
  const refused: string[] = [];
  for (const file of given) {
    const read =
      attached + pictures.length >= PICTURES_MAX
        ? words.tooManyPictures(file.name, PICTURES_MAX)
        : await readPicture(file);
    if (typeof read === 'string') refused.push(read);
    else pictures.push(read);
  }
  return { pictures, refused };
}

async function readPicture(file: File): Promise<AttachedPicture | string> {
  const { name, size, type } = file;
  if (!PICTURE_TYPES.includes(type)) return words.notPicture(name);
  if (size > FILE_BYTES_MAX) return words.pictureTooLarge(name, size, FILE_BYTES_MAX);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return words.notPicture(name);
  try {
    if (bitmap.width * bitmap.height > PIXELS_MAX) return words.tooManyPixels(name, bitmap.width, bitmap.height);
    const drawn = await drawnAnew(bitmap, type);
    if (drawn === null) return words.notPicture(name);
    const id = newId();
    await keepPicture(id, drawn.blob);
    return { id, name, width: drawn.width, height: drawn.height, bytes: drawn.blob.size };
  } finally {
    bitmap.close();
  }
}

async function drawnAnew(
  bitmap: ImageBitmap,
  type: string,
): Promise<{ blob: Blob; width: number; height: number } | null> {
  let scale = Math.min(1, SIDE_MAX_PX / Math.max(bitmap.width, bitmap.height));
  for (let shrinks = 0; shrinks < SHRINKS_MAX; shrinks++, scale *= 0.7) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    for (const as of [type, 'image/webp']) {
      const blob = await blobOf(canvas, as);
      // A browser that cannot encode a type returns PNG instead.
      if (blob !== null && blob.type === as && blob.size <= BYTES_MAX)
        return { blob, width: canvas.width, height: canvas.height };
    }
  }
  return null;
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.9));
}

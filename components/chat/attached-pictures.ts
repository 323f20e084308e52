/** Picture attached to a question. `kept-pictures.ts` stores the bytes. */
export interface AttachedPicture {
  id: string;
  name: string;
  width: number;
  height: number;
  bytes: number;
}

export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** SVG files are attached as text files instead. */
export function isPictureFile({ type }: Pick<File, 'type'>): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml';
}

export function areAttachedPictures(value: unknown): value is readonly AttachedPicture[] {
  return Array.isArray(value) && value.every(isAttachedPicture);
}

function isAttachedPicture(value: unknown): value is AttachedPicture {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, width, height, bytes } = value as Partial<Record<keyof AttachedPicture, unknown>>;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    [width, height, bytes].every((count) => typeof count === 'number' && Number.isSafeInteger(count) && count > 0)
  );
}

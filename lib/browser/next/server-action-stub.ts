/** Replaces the part of Next's router that runs server actions. The console has none. */
export function serverActionReducer(): never {
  throw new Error('The console has no server actions.');
}

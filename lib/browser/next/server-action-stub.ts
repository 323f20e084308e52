/** Replaces the router's part for server actions. The console has none. */
export function serverActionReducer(): never {
  throw new Error('The console has no server actions.');
}

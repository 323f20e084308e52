/** Replaces the router's code for server actions, which the console does not use. */
export function serverActionReducer(): never {
  throw new Error('The console has no server actions.');
}

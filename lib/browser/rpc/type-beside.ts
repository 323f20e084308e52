/** Returns the type that stands beside the name of a parameter; null where it is the name, which says it already. */
export function typeBeside(name: string | undefined, type: string): string | null {
  return name === type ? null : type;
}

/** Returns the type to show next to a parameter's name; null if it equals the name. */
export function typeBeside(name: string | undefined, type: string): string | null {
  return name === type ? null : type;
}

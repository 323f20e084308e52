/**
 * Encodes a sign-in payload as the header's value. In a separate file, so that signing code need not load the parser.
 */
export function encodeSignInPayload(payload: Readonly<Record<string, unknown>>): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payload))));
}

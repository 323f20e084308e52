/** Writes a sign-in payload as the header's value. Apart from the reader, which whoever only signs does not need. */
export function encodeSignInPayload(payload: Readonly<Record<string, unknown>>): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payload))));
}

/** Masks a secret for display. The result is enough to recognize the secret, but not to use it. */
export function maskSecret(secret: string): string {
  if (secret.length < 16) return '•'.repeat(8);
  return `${secret.slice(0, 4)}••••${secret.slice(-4)}`;
}

/** Returns whether a string can be a Bearer token: visible ASCII without spaces. `b64token` (RFC 6750) is a subset. */
export function isSendableKey(text: string): boolean {
  return /^[\x21-\x7e]{8,512}$/.test(text);
}

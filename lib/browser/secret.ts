/** A secret as it may be shown: enough of it to tell two apart, never enough to use. */
export function maskSecret(secret: string): string {
  if (secret.length < 16) return '•'.repeat(8);
  return `${secret.slice(0, 4)}••••${secret.slice(-4)}`;
}

/** Whether a text can be sent as a Bearer key at all: visible ASCII without spaces (RFC 6750, "b64token" and wider). */
export function isSendableKey(text: string): boolean {
  return /^[\x21-\x7e]{8,512}$/.test(text);
}

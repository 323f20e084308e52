/** Returns whether a text is an absolute HTTP(S) URL. User name and password, if any, must be decodable. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

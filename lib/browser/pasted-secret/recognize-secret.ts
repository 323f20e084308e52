export type SecretKind = 'private-key' | 'maybe-private-key' | 'extended-key' | 'seed-phrase' | 'key-file';

/** Characters to search. A key is at the beginning or is the whole text. */
const CHARACTERS_MAX = 20_000;
const PHRASE_LENGTHS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24]);

/**
 * Returns the kind of secret, or null. 64 hex digits are a private key. With `0x` they may be a hash, and 64 bytes in
 * base58 may be a signature; both return `maybe-private-key`.
 */
export function recognizeSecret(text: string): SecretKind | null {
  const trimmed = text.slice(0, CHARACTERS_MAX).trim();
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(trimmed)) return 'key-file';
  if (/\b[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}\b/.test(trimmed)) return 'extended-key';
  if (/^["']?[0-9a-fA-F]{64}["']?$/.test(trimmed)) return 'private-key';
  if (/^["']?0x[0-9a-fA-F]{64}["']?$/.test(trimmed)) return 'maybe-private-key';
  if (isSolanaKeyFile(trimmed)) return 'private-key';
  if (isSolanaKey(trimmed)) return 'maybe-private-key';
  return isSeedPhrase(trimmed) ? 'seed-phrase' : null;
}

/** Matches 64 bytes as a JSON array of numbers, the key file format of Solana's command line. */
function isSolanaKeyFile(text: string): boolean {
  return (
    /^\[\s*(?:\d{1,3}\s*,\s*){63}\d{1,3}\s*\]$/.test(text) &&
    (text.match(/\d+/g) ?? []).every((byte) => Number(byte) < 256)
  );
}

/** Matches 64 bytes in base58, as Phantom exports them. A transaction signature looks the same. */
function isSolanaKey(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text);
}

/** Matches BIP-39 words, which have 3 to 8 letters. A sentence this long has punctuation. */
function isSeedPhrase(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    PHRASE_LENGTHS.has(words.length) &&
    words.every((word) => /^[a-z]{3,8}$/.test(word)) &&
    new Set(words).size >= words.length - 2 &&
    !words.some((word) => COMMON.has(word))
  );
}

/** Short words that most sentences contain and that BIP-39 lacks. A text with one of them is not a seed phrase. */
const COMMON: ReadonlySet<string> = new Set(
  'and are been but did does for from had has her him his how its not our out says she should the their them these was were which who whose why with would your could'.split(
    ' ',
  ),
);

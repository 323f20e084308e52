/** A kind of secret that gives away a wallet. */
export type SecretKind = 'private-key' | 'maybe-private-key' | 'extended-key' | 'seed-phrase' | 'key-file';

/** The most that is looked at: a key stands at the beginning or is all there is. */
const CHARACTERS_MAX = 20_000;
const PHRASE_LENGTHS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24]);

/**
 * What secret a text is, or null. 64 hexadecimal digits are a private key; with `0x` before them they may as well be a
 * hash, and 64 bytes in base58 a signature: `maybe-private-key`.
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

/** 64 bytes as Solana's command line keeps them: a JSON array of numbers. */
function isSolanaKeyFile(text: string): boolean {
  return (
    /^\[\s*(?:\d{1,3}\s*,\s*){63}\d{1,3}\s*\]$/.test(text) &&
    (text.match(/\d+/g) ?? []).every((byte) => Number(byte) < 256)
  );
}

/** 64 bytes in base58, as Phantom exports them. A signature of a transaction looks alike, which a person can say. */
function isSolanaKey(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text);
}

/** Words of BIP-39 are 3 to 8 letters; so many of them, without a sign between them, are no sentence. */
function isSeedPhrase(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    PHRASE_LENGTHS.has(words.length) &&
    words.every((word) => /^[a-z]{3,8}$/.test(word)) &&
    new Set(words).size >= words.length - 2 &&
    !words.some((word) => COMMON.has(word))
  );
}

/** Short words that sentences hardly do without, and that are none of BIP-39. */
const COMMON: ReadonlySet<string> = new Set(
  'and are been but did does for from had has her him his how its more not our out says she should that the their them then there these they this was were what when where which who whose why with would you your could'.split(
    ' ',
  ),
);

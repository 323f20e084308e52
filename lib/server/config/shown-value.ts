const TEXT_LENGTH_MAX = 24;
/** Fields whose values are secret or may contain a secret. */
const SECRET_FIELD =
  /(^|\.)(upstreams|url|key|secret|privateKey|accessKeyId|secretAccessKey|endpoint|pccsUrl|rootCrlUrl|nvidiaUrl|id)(\[\d+\])?$|\.headers(\.|$)/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const MEMBERS_MAX = 6;

export function isSecretField(path: string): boolean {
  return SECRET_FIELD.test(path);
}

/**
 * Describes a value for an error message. Shows booleans, and numbers and short texts that cannot be secret.
 * Otherwise names the value's kind.
 */
export function shownValue(value: unknown, mayBeSecret: boolean): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') return mayBeSecret ? 'a number' : JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') {
    const names = Object.keys(value);
    if (names.length === 0) return 'an empty object';
    return `an object of ${names
      .slice(0, MEMBERS_MAX)
      .map((name) => JSON.stringify(name.slice(0, TEXT_LENGTH_MAX)))
      .join(', ')}${names.length > MEMBERS_MAX ? ' and more' : ''}`;
  }
  const text = String(value);
  if (text === '') return 'an empty text';
  if (!mayBeSecret && (text.length <= TEXT_LENGTH_MAX || EVM_ADDRESS.test(text))) return JSON.stringify(text);
  return `a text of ${text.length} characters`;
}

/** Deeper values are not normalized. */
const DEPTH_MAX = 1_000;
const EXPONENT_LENGTH_MAX = 6;

class NotCanonical extends Error {}

/**
 * Normalizes a JSON value. Sorts members by name, drops null members and white space, and escapes minimally. Keeps
 * numbers exact by never parsing them as doubles.
 * @param text valid JSON
 * @param canonicalString normalizes strings and member names
 * @returns null if the value is too deep or has duplicate names, which parsers read differently
 */
export function canonicalJson(text: string, canonicalString: (value: string) => string): string | null {
  try {
    return new Scan(text, canonicalString).value(0);
  } catch (error) {
    if (error instanceof NotCanonical || error instanceof SyntaxError) return null;
    throw error;
  }
}

class Scan {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly canonicalString: (value: string) => string,
  ) {}

  value(depth: number): string {
    const first = this.#peek();
    if (depth > DEPTH_MAX || first === '') throw new NotCanonical();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    return first === '"' ? JSON.stringify(this.#string()) : this.#word();
  }

  #object(depth: number): string {
    const members = new Map<string, string>();
    this.#at++;
    while (this.#peek() !== '}') {
      const name = this.#string();
      if (this.#peek() !== ':' || members.has(name)) throw new NotCanonical();
      this.#at++;
      members.set(name, this.value(depth + 1));
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== '}') throw new NotCanonical();
    }
    this.#at++;
    const said = Array.from(members).filter(([, value]) => value !== 'null');
    return `{${said
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
      .join(',')}}`;
  }

  #array(depth: number): string {
    const items: string[] = [];
    this.#at++;
    while (this.#peek() !== ']') {
      items.push(this.value(depth + 1));
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== ']') throw new NotCanonical();
    }
    this.#at++;
    return `[${items.join(',')}]`;
  }

  #string(): string {
    const start = this.#at;
    if (this.text[start] !== '"') throw new NotCanonical();
    let end = this.text.indexOf('"', start + 1);
    while (end > 0 && isEscaped(this.text, end)) end = this.text.indexOf('"', end + 1);
    if (end < 0) throw new NotCanonical();
    this.#at = end + 1;
    const inner = this.text.slice(start + 1, end);
    return this.canonicalString(inner.includes('\\') ? (JSON.parse(this.text.slice(start, end + 1)) as string) : inner);
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) throw new NotCanonical();
    this.#at += word.length;
    return word === 'true' || word === 'false' || word === 'null' ? word : canonicalNumber(word);
  }

  #peek(): string {
    for (;;) {
      const next = this.text[this.#at];
      if (next !== ' ' && next !== '\n' && next !== '\t' && next !== '\r') return next ?? '';
      this.#at++;
    }
  }
}

const WORD = /[-+.\w]+/y;

function isEscaped(text: string, quoteAt: number): boolean {
  let backslashes = 0;
  while (text[quoteAt - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** Writes a number as its digits, without leading and trailing zeros, and a power of ten. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new NotCanonical();
  if (exponent.length > EXPONENT_LENGTH_MAX) return text;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

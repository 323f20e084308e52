/**
 * Makes a string that matches a regular expression. Supports literals, classes, escapes, groups, alternatives,
 * quantifiers and anchors. Returns null for anything else.
 */
export function textForPattern(pattern: string): string | null {
  try {
    const reader = new PatternReader(pattern);
    const text = reader.alternatives();
    return reader.isAtEnd && new RegExp(pattern, 'u').test(text) ? text : null;
  } catch {
    return null;
  }
}

const REPEAT_MAX = 256;
const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  d: '0',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  n: '\n',
  t: '\t',
  r: '\r',
};
const CANDIDATES = 'aA0-_ .,:/@#zZ9';

class PatternReader {
  #position = 0;

  constructor(private readonly pattern: string) {}

  get isAtEnd(): boolean {
    return this.#position >= this.pattern.length;
  }

  alternatives(): string {
    const first = this.#sequence();
    while (this.#peek() === '|') {
      this.#position += 1;
      this.#sequence();
    }
    return first;
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && this.#peek() !== '|' && this.#peek() !== ')') text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const atom = this.#atom();
    const rest = this.pattern.slice(this.#position);
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(rest);
    if (!quantifier) return atom;
    this.#position += quantifier[0].length;
    const least = quantifier[1] === undefined ? (rest.startsWith('+') ? 1 : 0) : Number(quantifier[1]);
    return atom.repeat(Math.min(least, REPEAT_MAX));
  }

  #atom(): string {
    const character = this.#take();
    if (character === '^' || character === '$') return '';
    if (character === '.') return 'a';
    if (character === '(') return this.#group();
    if (character === '[') return this.#characterClass();
    return character === '\\' ? this.#escape() : character;
  }

  #group(): string {
    const kind = /^\?(?::|<[A-Za-z]\w*>)/.exec(this.pattern.slice(this.#position));
    if (kind) this.#position += kind[0].length;
    else if (this.#peek() === '?') throw new Error('Look-around in a pattern is not supported.');
    const text = this.alternatives();
    if (this.#take() !== ')') throw new Error('A group of the pattern is not closed.');
    return text;
  }

  /** Finds a member of the class by testing characters with the regular expression engine. */
  #characterClass(): string {
    const end = this.pattern.indexOf(']', this.#position + 1);
    if (end < 0) throw new Error('A character class of the pattern is not closed.');
    const source = this.pattern.slice(this.#position - 1, end + 1);
    this.#position = end + 1;
    const isMatching = new RegExp(`^${source}$`, 'u');
    const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    const found = [...CANDIDATES, ...ascii].find((candidate) => isMatching.test(candidate));
    if (found === undefined) throw new Error('A character class of the pattern matches no plain character.');
    return found;
  }

  #escape(): string {
    const character = this.#take();
    if (character === 'b' || character === 'B') return '';
    if (/[1-9pPukx]/.test(character)) throw new Error('An escape of the pattern is not supported.');
    return CLASS_ESCAPES[character] ?? character;
  }

  #peek(): string | undefined {
    return this.pattern[this.#position];
  }

  #take(): string {
    const character = this.pattern[this.#position];
    if (character === undefined) throw new Error('The pattern ends too early.');
    this.#position += 1;
    return character;
  }
}

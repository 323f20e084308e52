import { fieldPath } from './field-path';
import type { Faults } from './faults';

/**
 * Reports keys that occur twice in an object. JSON.parse would silently take the last.
 * @param text valid JSON
 */
export function noteRepeatedKeys(text: string, faults: Faults): void {
  new Scan(text, faults).value([]);
}

/** Scans valid JSON and reads only its keys. */
class Scan {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly faults: Faults,
  ) {}

  value(steps: readonly PropertyKey[]): void {
    const first = this.#peek();
    if (first === '{') this.#object(steps);
    else if (first === '[') this.#array(steps);
    else if (first === '"') this.#string();
    else while (this.#at < this.text.length && !/[,\]}\s]/.test(this.text[this.#at] as string)) this.#at++;
  }

  #object(steps: readonly PropertyKey[]): void {
    const lines = new Map<string, number>();
    this.#at++;
    while (this.#peek() !== '}') {
      const line = this.#line();
      const key = JSON.parse(this.#string()) as string;
      const path = [...steps, key];
      const before = lines.get(key);
      if (before !== undefined)
        this.faults.set(fieldPath(path), `is there twice, in line ${before} and in line ${line}: remove one`);
      lines.set(key, line);
      this.#peek();
      this.#at++;
      this.value(path);
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
  }

  #array(steps: readonly PropertyKey[]): void {
    this.#at++;
    for (let index = 0; this.#peek() !== ']'; index++) {
      this.value([...steps, index]);
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
  }

  /** Returns the string at the current position, including its quotes. */
  #string(): string {
    const start = this.#at;
    for (this.#at++; this.text[this.#at] !== '"'; this.#at++) if (this.text[this.#at] === '\\') this.#at++;
    return this.text.slice(start, ++this.#at);
  }

  #peek(): string {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at++;
    return this.text[this.#at] ?? '';
  }

  #line(): number {
    let line = 1;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < this.#at; at = this.text.indexOf('\n', at + 1)) line++;
    return line;
  }
}
